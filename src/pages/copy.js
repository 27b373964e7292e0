'use strict';
// Shows the buttons that copy a secret. Without the script, one click selects the secret as a whole. Browsers
// have the clipboard interface only on HTTPS and on this machine; elsewhere, and if it is refused, the secret
// is selected and copied as by the keyboard.
const copied = document.querySelector('#copied');

const select = (secret) => getSelection().selectAllChildren(secret);

const copy = async (secret) => {
  try {
    await navigator.clipboard.writeText(secret.textContent);
    return true;
  } catch {
    select(secret);
    return document.execCommand('copy');
  }
};

for (const button of document.querySelectorAll('[data-copies]')) {
  const secret = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copy(secret);
    if (!isCopied) select(secret);
    copied.textContent = isCopied
      ? 'Copied to the clipboard.'
      : 'The browser did not allow it. The text is selected: copy it with the keyboard.';
  });
}
