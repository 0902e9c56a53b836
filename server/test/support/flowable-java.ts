import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A real Flowable 7.2.0 through Java and Maven, which are not needed for anything else: `npm run test:long` only.

const hasTool = (name: string): boolean => {
  try {
    execFileSync(name, ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
export const isJavaThere = hasTool('java') && hasTool('javac') && hasTool('mvn')
if (!isJavaThere)
  console.warn('NOT COMPARED with Flowable: java, javac and mvn are not all here. The recorded outcomes are compared all the same.')

/** @returns a folder with Flowable's classes in `lib` and the compiled programs of `server/test/flowable/oracle`; the caller removes it */
export const flowableFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-flowable-'))
  cpSync(fileURLToPath(new URL('../flowable/', import.meta.url)), folder, { recursive: true })
  execFileSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: folder, stdio: 'inherit' })
  execFileSync('javac', ['-cp', 'lib/*', 'oracle/App.java', 'oracle/Conditions.java'], { cwd: folder, stdio: 'inherit' })
  return folder
}
