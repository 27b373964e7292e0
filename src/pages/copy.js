'use strict';
// Shows a button that copies the new token. Without the script, the token is selected as a whole by one click.
// Browsers have the clipboard interface only on HTTPS and on this machine; elsewhere, and if it is refused, the
// token is selected and copied as by the keyboard.
const token = document.querySelector('#token');
const button = document.querySelector('#copy');
const copied = document.querySelector('#copied');

const select = () => {
  const range = document.createRange();
  range.selectNodeContents(token);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
};

const copy = async () => {
  try {
    await navigator.clipboard.writeText(token.textContent);
    return true;
  } catch {
    select();
    return document.execCommand('copy');
  }
};

button.hidden = false;
button.addEventListener('click', async () => {
  const isCopied = await copy();
  if (!isCopied) select();
  copied.textContent = isCopied
    ? 'Copied to the clipboard.'
    : 'The browser did not allow it. The token is selected: copy it with the keyboard.';
});
