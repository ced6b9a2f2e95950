/** Whether a path is that of a test, or of what tests read: by its folders or its name, as most languages have it. */
export const isTestFile = (path: string): boolean => folder.test(path) || name.test(path) || className.test(path);

const folder = /(?:^|\/)(?:tests?|testing|__tests__|spec|testdata|fixtures)\//i;
const name = /(?:^|\/)(?:test_|conftest\.)[^/]*$|[._-](?:test|spec)s?\.[^/]*$/i;
const className = /[a-z]Tests?\.[a-z]+$/;
