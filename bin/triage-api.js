#!/usr/bin/env node
// Old versions of Node have to understand this file, to say that they are too old: no `import` statements, no
// top-level `await`, nothing newer than ES2017 but `import()`. A test compares the number with package.json.
var oldest = [20, 19, 0];
var version = process.versions.node.split('.').map(Number);

var isOlder = function () {
  for (var i = 0; i < oldest.length; i += 1) if (version[i] !== oldest[i]) return version[i] < oldest[i];
  return false;
};

if (isOlder()) {
  console.error(
    'triage-api needs Node.js ' + oldest.join('.') + ' or later; this is ' + process.versions.node,
  );
  process.exitCode = 1;
} else {
  import('../build/bin/triage-api.js').then(
    function (bundle) {
      return bundle.main(process);
    },
    function (error) {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      console.error('triage-api has not been built; run: npm install && npm run build');
      process.exitCode = 1;
    },
  );
}
