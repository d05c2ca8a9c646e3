import { reportTotal } from './checks/check.mts';
import { listTestFiles, runNodeTests } from './checks/testRuns.mts';

// Follows the recipes of CONTRIBUTING.md on a copy of the checkout, and runs `npm test` there.

const files = await listTestFiles('recipes');
await reportTotal('recipes', [await runNodeTests({ name: 'recipes', files, isShown: true })]);
