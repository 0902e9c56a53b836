import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Containers of a drill, apart from all others of this machine. */
export interface Podman {
  readonly folder: string
  /** Runs shell commands where podman finds these containers, in `folder`. @returns what they wrote to stdout. @throws Error with stderr where one failed */
  run(script: string, env?: Readonly<Record<string, string>>): string
  close(): void
}

/** This machine may lend less than podman asks for. */
export const containerLimits = '--ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --cgroups=disabled'

/** A view of the disk in which crun finds cgroups of the one kind that it takes; networks of the containers are seen there too. */
export const startPodman = async (): Promise<Podman> => {
  const folder = mkdtempSync('/var/tmp/kaopu-podman-')
  writeFileSync(join(folder, 'storage.conf'), `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`)
  const view = spawn(
    'unshare',
    ['--mount', 'sh', '-euc', 'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; echo ready; exec sleep infinity'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(view.stdout, 'data')
  return {
    folder,
    run: (script, env = {}) => {
      const own = { ...process.env, CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'), BUILDAH_ISOLATION: 'chroot', ...env }
      const into = ['--target', String(view.pid), '--mount', `--wdns=${folder}`, 'bash', '--norc', '-euc', script]
      try {
        return execFileSync('nsenter', into, { env: own, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 })
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
        throw new Error(`${script}\n${stdout}${stderr}`)
      }
    },
    close: () => {
      view.kill()
      // crun makes the container's user the owner of the /dev/null that it reads from, which is this machine's.
      execFileSync('chown', ['--reference=/dev/zero', '/dev/null'])
      execFileSync('rm', ['-rf', folder])
    },
  }
}
