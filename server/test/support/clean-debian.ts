import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))
const bootScript = fileURLToPath(new URL('./clean-debian.sh', import.meta.url))
const makeMs = 15 * 60_000

/** Beside the packages every Debian has: those that an operator finds on a server, and the PostgreSQL of this Debian. */
const packages = ['openssl', 'systemd', 'iproute2', 'postgresql']

/** Debian packages that this machine needs itself. */
const tools = ['mmdebstrap', 'podman', 'buildah', 'crun', 'qemu-user-static', 'systemd']

/** Why no clean Debian can be made here; undefined when one can. */
export const noCleanDebian = (): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a Debian of its own is made by root on Linux'
  return existsSync('/usr/bin/apt-get') ? undefined : 'there is no apt-get'
}

/** Installs on this machine what the drills need. */
export const installTools = (): void => {
  const missing = tools.filter(name => !existsSync(`/usr/share/doc/${name}`))
  if (missing.length === 0) return
  execFileSync('apt-get', ['update', '-qq'], { timeout: makeMs })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { timeout: makeMs, stdio: 'pipe' })
}

/** The files of a Debian 12 for a processor, made once. @returns a tar file */
export const debianTar = (architecture: 'amd64' | 'arm64', include: readonly string[] = packages): string => {
  const path = join(cache, `debian-12-${architecture}-${include.join('-')}.tar`)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const draft = `${path}.new-${process.pid}.tar`
  const options = ['--variant=minbase', `--architectures=${architecture}`, '--aptopt=APT::Install-Recommends "false"']
  execFileSync('mmdebstrap', [...options, `--include=${include.join(',')}`, 'bookworm', draft], { timeout: makeMs, stdio: 'pipe' })
  renameSync(draft, path)
  return path
}

/** Not in memory: it is large. */
export const unpackDebian = (architecture: 'amd64' | 'arm64', include?: readonly string[]): string => {
  const folder = mkdtempSync('/var/tmp/kaopu-debian-')
  execFileSync('tar', ['-xf', debianTar(architecture, include), '-C', folder, '--exclude=./dev/*'])
  execFileSync('chmod', ['755', folder])
  // Written by the installer of a real system.
  writeFileSync(join(folder, 'etc', 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  return folder
}

export interface CleanDebian {
  /** Its files, seen from outside. */
  readonly folder: string
  /** Runs shell commands inside, as root. @returns what they wrote. @throws Error with that where one failed */
  run(script: string): string
  /** Starts shell commands that go on. */
  start(script: string): ChildProcess
  close(): Promise<void>
}

/** A Debian 12 with systemd, without any network, as a machine of its own in namespaces of the kernel. */
export const bootDebian = async (): Promise<CleanDebian> => {
  const folder = unpackDebian('amd64')
  const namespaces = ['--net', '--mount', '--pid', '--uts', '--ipc', '--cgroup', '--fork', '--kill-child']
  const machine = spawn('unshare', [...namespaces, 'sh', bootScript, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(machine, 'exit')
  let said = ''
  for (const stream of [machine.stdout, machine.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
  const inside = (script: string): readonly string[] => {
    // The first process of the machine is the only child of unshare.
    const [pid] = readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').split(' ')
    if (!pid) throw new Error(`the machine has ended: ${said}`)
    const clean = [
      '--wdns=/',
      'env',
      '-i',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LANG=C.UTF-8',
    ]
    return ['--target', pid, '--all', '--root', ...clean, 'sh', '-euc', `cd /root\n${script}`]
  }
  const run: CleanDebian['run'] = script => {
    try {
      return execFileSync('nsenter', inside(script), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`${script}\n${stdout}${stderr}`)
    }
  }
  await vi.waitFor(() => run('test "$(systemctl is-system-running)" = running'), { timeout: 120_000, interval: 200 })
  return {
    folder,
    run,
    start: script => spawn('nsenter', inside(script), { stdio: ['ignore', 'pipe', 'pipe'] }),
    close: async () => {
      machine.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
