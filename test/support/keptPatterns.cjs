const { createHash } = require('node:crypto');
const { keepingPatterns } = require('../../gulpfile');

/** Changes a module of libphonenumber-js as the build does, so the tests run what the package contains. */
exports.process = (source) => ({ code: keepingPatterns(source) });

/** Jest's cache must not keep a module that an earlier build would have made. */
exports.getCacheKey = (source) =>
	createHash('sha256').update(keepingPatterns(source)).digest('hex');
