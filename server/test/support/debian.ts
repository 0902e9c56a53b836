import { execFileSync, spawnSync } from 'node:child_process'

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/**
 * Installs a Debian package where its program is missing.
 * @throws Error saying what to install where that cannot be done here
 */
export const needProgram = (program: string, debianPackage: string): void => {
  if (isThere(program)) return
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], {
      stdio: 'pipe',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  } catch (error) {
    throw new Error(`This test needs ${program}: install the Debian package ${debianPackage} (${(error as Error).message.split('\n')[0]})`)
  }
  if (!isThere(program)) throw new Error(`The Debian package ${debianPackage} brought no ${program}`)
}
