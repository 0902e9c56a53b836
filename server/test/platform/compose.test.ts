import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { callAs } from '../../../e2e/support/caller.ts'
import { windows } from '../../../e2e/support/exam.ts'
import { type Backdoor, type Member, openBackdoor } from '../../../e2e/support/people.ts'
import { debianTar, installTools, noCleanDebian } from '../support/clean-debian.ts'
import { buildExam } from '../support/factories.ts'
import { operateCommand } from '../support/operate-docs.ts'
import { containerLimits, type Podman, startPodman } from '../support/podman.ts'
import { noRealS3, versitygw } from '../support/real-s3.ts'
import { answersOf } from '../support/signing.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const url = 'https://localhost'
const people = 60
const why = noCleanDebian() ?? noRealS3()

/** What the image of PostgreSQL does at its first start, as far as the compose file asks for it. */
const postgresProgram = `#!/bin/sh
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
data=/var/lib/postgresql/data
chown postgres: "$data"
install -d -o postgres /var/run/postgresql
if [ ! -s "$data/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  chmod 0644 /tmp/password
  runuser -u postgres -- "$bin/initdb" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 $POSTGRES_INITDB_ARGS -D "$data" > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "create database \\"$POSTGRES_DB\\"" | runuser -u postgres -- "$bin/postgres" --single -D "$data" postgres > /dev/null
fi
exec runuser -u postgres -- "$bin/postgres" -D "$data" -c "listen_addresses=*"
`

/** Images cannot be fetched here: the same programs of Debian and of the Go proxy, called as the compose file calls those of the images. */
const images = {
  postgres: 'FROM localhost/base\nCOPY postgres.sh /postgres.sh\nENTRYPOINT ["/bin/sh", "/postgres.sh"]\n',
  versitygw: 'FROM localhost/base\nCOPY versitygw /usr/bin/versitygw\nENTRYPOINT ["/usr/bin/versitygw"]\n',
  caddy:
    'FROM localhost/base\nENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config\nCMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]\n',
} as const

let podman: Podman
let work: string
let env: Readonly<Record<string, string>>
let start: () => string
let backdoor: Backdoor
const trusted = getCACertificates('default')

describe.skipIf(why !== undefined)('the services of the compose file together', () => {
  beforeAll(async () => {
    console.log(why ?? 'images are made')
    installTools()
    work = mkdtempSync(join(tmpdir(), 'kaopu-compose-'))
    execFileSync('sh', ['-euc', operateCommand('release-key')], { cwd: work, stdio: 'pipe' })
    const make = operateCommand('release-make', {
      '--out release': `--out ${work} --draft --cpu x64`,
      'release-key.pem': join(work, 'release-key.pem'),
    })
    execFileSync('sh', ['-euc', make], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    const tools = join(work, 'tools')
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', tools, 'podman-compose==1.6.0'], { stdio: 'pipe' })

    podman = await startPodman()
    const { folder } = podman
    execFileSync('tar', ['-xzf', join(work, `kaopu-${version}-linux-x64.tar.gz`), '-C', folder])
    podman.run(`podman import -q ${debianTar('amd64', ['libatomic1', 'postgresql', 'caddy', 'ca-certificates'])} localhost/base`)
    const at = { [`/opt/kaopu/kaopu-${version}-linux-x64`]: join(folder, `kaopu-${version}-linux-x64`) }
    podman.run(operateCommand('install-image', { ...at, 'podman build': 'podman build --network host --build-arg BASE=localhost/base' }))
    mkdirSync(join(folder, 'others'))
    cpSync(versitygw(), join(folder, 'others', 'versitygw'))
    writeFileSync(join(folder, 'others', 'postgres.sh'), postgresProgram)
    for (const [name, text] of Object.entries(images)) {
      writeFileSync(join(folder, 'others', 'Containerfile'), text)
      podman.run(`podman build -q -t localhost/${name} others`)
    }

    const deploy = join(folder, 'deploy')
    cpSync(join(root, 'deploy'), deploy, { recursive: true })
    writeFileSync(
      join(deploy, '.env'),
      `KAOPU_PUBLIC_URL=${url}\nPOSTGRES_PASSWORD=a-long-password\nS3_ACCESS_KEY=key-of-the-store\nS3_SECRET_KEY=secret-of-the-store\nKAOPU_IMAGE=localhost/kaopu:${version}\n${Object.keys(
        images,
      )
        .map(name => `${name.toUpperCase()}_IMAGE=localhost/${name}\n`)
        .join('')}`,
    )
    // Without systemd nobody looks after the health of containers by the clock; the test asks for it.
    env = { PATH: `${tools}/bin:${process.env['PATH']}`, PYTHONPATH: tools, DISABLE_HC_SYSTEMD: 'true' }
    start = () =>
      podman.run(
        operateCommand('install-compose-up', {
          '/opt/kaopu/current/deploy': deploy,
          'podman-compose up': `podman-compose --podman-run-args='${containerLimits}' up`,
        }),
        env,
      )
  }, 1_800_000)
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await backdoor?.close()
    if (podman) {
      try {
        // Who needs another one goes first.
        for (const name of ['caddy', 'app2', 'app1', 'postgres', 'versitygw']) podman.run(`podman rm -f -t 30 kaopu_${name}_1`, env)
        podman.run('podman network prune -f', env)
      } finally {
        podman.close()
      }
    }
    if (work && existsSync(work)) rmSync(work, { recursive: true })
  }, 300_000)

  const ready = async (): Promise<number> => (await fetch(`${url}/api/ready`)).status
  const submit = (member: Member, examId: string, key: string) =>
    callAs(url, member.token).post(
      '/blade-signup/signup/submit',
      { examId, code: 'B001', submitType: 1, promise: 1, content: answersOf(member.idCard, member.phone) },
      key,
    )

  test('start as the paper says, and make the first account', async () => {
    expect(start()).toMatch(/One-time password: \S+/)
    expect(podman.run("podman ps --format '{{.Names}}'").trim().split('\n').sort()).toEqual(
      ['app1', 'app2', 'caddy', 'postgres', 'versitygw'].map(name => `kaopu_${name}_1`),
    )
    for (const name of ['app1', 'app2'])
      await vi.waitFor(() => podman.run(`podman healthcheck run kaopu_${name}_1`), { timeout: 120_000, interval: 500 })
    podman.run('podman healthcheck run kaopu_postgres_1')
    const authority = await vi.waitFor(() => podman.run('podman exec kaopu_caddy_1 cat /data/caddy/pki/authorities/local/root.crt'), {
      timeout: 60_000,
      interval: 500,
    })
    setDefaultCACertificates([...trusted, authority])
    await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 60_000, interval: 500 })
    expect(podman.run("podman exec kaopu_app2_1 sh -c 'test ! -w /opt && id -u'")).toBe('10001\n')
  }, 600_000)

  test('people sign up through the proxy with their own addresses; an instance is killed, and everybody is answered and in once', async () => {
    const volume = podman.run("podman volume inspect kaopu_kaopu-data --format '{{.Mountpoint}}'").trim()
    const address = podman.run("podman inspect kaopu_postgres_1 --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'").trim()
    backdoor = await openBackdoor(volume, undefined, `postgresql://kaopu:a-long-password@${address}:5432/kaopu`)
    const crowd = await backdoor.addCandidates(people)
    const { examId } = await buildExam(backdoor, {
      exam: { ...windows, exam_name: '容器中的考试', exam_code: 'COMPOSE', exam_no: 1 },
      files: {},
    })

    const answers: number[] = []
    for (const [serial, member] of crowd.entries()) {
      if (serial === people / 3) podman.run('podman kill --signal KILL kaopu_app1_1')
      const key = newToken()
      // A call that was with the instance when it died is made again with its key, as a browser does.
      const answer = await vi.waitFor(() => submit(member, examId, key), { timeout: 20_000, interval: 250 })
      answers.push(answer.status)
    }
    expect(answers.filter(status => status !== 200)).toEqual([])
    const stored = await backdoor.db(db =>
      db.all(sql<{ signups: number; people: number }>`
        select count(*)::int as signups, count(distinct user_id)::int as people from signup where exam_id = ${examId}`),
    )
    expect(stored).toEqual([{ signups: people, people }])
    const seen = await backdoor.db(db =>
      db.all(sql<{ ip: string }>`select distinct ip from audit_log where action = 'signup.submitted' and ip is not null`),
    )
    // The address of this machine on the network of the containers, and not Caddy's.
    expect(seen).toEqual([{ ip: '172.30.77.1' }])
  }, 300_000)

  test('an instance that was killed is started again and takes its part', async () => {
    podman.run('podman start kaopu_app1_1', env)
    await vi.waitFor(() => podman.run('podman healthcheck run kaopu_app1_1'), { timeout: 120_000, interval: 500 })
    podman.run('podman stop -t 30 kaopu_app2_1')
    for (let call = 0; call < 20; call += 1) expect(await ready()).toBe(200)
  }, 300_000)
})
