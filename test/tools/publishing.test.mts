import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mistakesIn, missingIn } from '../../tools/checks/workflowFiles.mts';

const publish = `
on:
  push:
    tags: [v1]
permissions:
  contents: write
  id-token: write
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm install
      - run: npm publish
        env:
          NPM_TOKEN: x
      - run: npm test
`;

test('a workflow that publishes with a token and without provenance is not enough', () => {
	assert.deepEqual(mistakesIn(publish), []);
	assert.deepEqual(missingIn(publish), [
		'it does not run on a version tag',
		'it may not ask for an identity token',
		'its tests may ask for an identity token',
		'it may write to the repository',
		'it does not test first',
		'it does not compare the tag with the version',
		'it publishes without provenance',
		'it publishes without an environment',
		'it builds or installs with the identity',
		'it does not compare the hash of the tarball',
		'it installs what is not locked',
		'it uses a stored token',
		'it uses an action that is not pinned',
	]);
});
