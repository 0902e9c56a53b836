import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * The order in which test files begin: those named here, then the others by their size. What begins last is short, and no core stands idle beside
 * it. The order is the same in every run; what an earlier run took is not looked at.
 * @param longest - names of files that are short to read and long to run, the longest first
 */
export const longestFirst = (longest: readonly string[]): TestSequencerConstructor =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const placeOf = ({ moduleId }: TestSpecification): number => {
        const place = longest.indexOf(basename(moduleId, '.test.ts'))
        return place < 0 ? longest.length : place
      }
      const sizes = new Map(await Promise.all(files.map(async file => [file, (await stat(file.moduleId)).size] as const)))
      const sizeOf = (file: TestSpecification): number => sizes.get(file) ?? 0
      return files.toSorted((one, two) => placeOf(one) - placeOf(two) || sizeOf(two) - sizeOf(one))
    }
  }
