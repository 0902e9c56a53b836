import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from '../../tools/install.mjs'

/** Begins the name of a file that holds the data folder of a shared server; the number of its process follows. */
export const sharedPrefix = 'shared-'

const lookAgainMs = 50

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const removeShared = async (runDir: string): Promise<void> => {
  for (const name of await readdir(runDir)) {
    if (!name.startsWith(sharedPrefix)) continue
    // It began to stop when its worker ended, and writes into its folder to the last.
    while (isRunning(Number(name.slice(sharedPrefix.length)))) await pause(lookAgainMs)
    await rm(await readFile(join(runDir, name), 'utf8'), { recursive: true, force: true })
  }
}

/** Pages and server as the sources are now, and a folder that the test files of one run share; `server.ts` says what for. */
export const setup = async () => {
  await build(process.execPath)
  const runDir = await mkdtemp(join(tmpdir(), 'kaopu-e2e-run-'))
  // The database server may run as another user: it must be able to walk to its folder.
  await chmod(runDir, 0o755)
  process.env['KAOPU_E2E_RUN'] = runDir
  return async () => {
    await removeShared(runDir)
    await rm(runDir, { recursive: true, force: true })
  }
}
