import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that the test files of one run share; `server.ts` says what for. */
export const setup = async () => {
  const runDir = await mkdtemp(join(tmpdir(), 'kaopu-e2e-run-'))
  // The database server may run as another user: it must be able to walk to its folder.
  await chmod(runDir, 0o755)
  process.env['KAOPU_E2E_RUN'] = runDir
  return () => rm(runDir, { recursive: true, force: true })
}
