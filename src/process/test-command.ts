import { Command } from 'commander';
import { wholeNumberUpTo } from './option-values.ts';
import type { TestOptions } from './test-policies.ts';

/** `test`: runs the tests of a policy file. */
export function testCommand(print: (line: string) => void): Command {
  return new Command('test')
    .description('Runs the tests of a policy file, and shows which policies and conditions they leave out.')
    .argument('<policies>', 'policy file (YAML)')
    .argument('[tests...]', 'files with more tests (YAML)')
    .option(
      '--coverage <percent>',
      'fail if less of the policies and conditions is covered',
      wholeNumberUpTo(100),
    )
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--watch', 'run again when a file changes, until Ctrl-C')
    .action(async (policies: string, tests: readonly string[], options: TestOptions) => {
      const { runTests, watchTests } = await import('./test-policies.ts');
      if (options.watch) return watchTests(policies, tests, options, print);
      if (!(await runTests(policies, tests, options, print))) process.exitCode = 1;
    });
}
