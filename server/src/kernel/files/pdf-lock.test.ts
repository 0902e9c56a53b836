import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { inspectFile } from './kinds.ts'

type Options = ConstructorParameters<typeof PDFDocument>[0]
const pdf = (options: Options): Promise<Buffer> =>
  new Promise(resolve => {
    const document = new PDFDocument(options)
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.text('diploma')
    document.end()
  })
const versions = ['1.3', '1.4', '1.6', '1.7', '1.7ext3'] as const

test('[S3.12] a PDF that opens with a password only is told so; one that is protected against changes is taken', async () => {
  for (const pdfVersion of versions) {
    const files = [
      await pdf({ pdfVersion }),
      await pdf({ pdfVersion, ownerPassword: 'office' }),
      await pdf({ pdfVersion, userPassword: '1234', ownerPassword: 'office' }),
    ]
    expect([pdfVersion, await Promise.all(files.map(file => inspectFile(file, 'a.pdf')))]).toEqual([
      pdfVersion,
      [{ kind: 'pdf' }, { kind: 'pdf' }, { problem: 'locked' }],
    ])
  }
})

test('what is not understood of an encryption counts as open', async () => {
  const bare = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n'
  for (const encrypt of [
    '/Encrypt 9 0 R',
    '/Encrypt<</Filter/Standard/R 4/O(x)/U(y)/P -4>>',
    '/Encrypt<</Filter/Other/R 4>>',
    '/Encrypt<</Filter/Standard/R 6>>',
  ])
    expect(await inspectFile(Buffer.from(`${bare}trailer<</Root 1 0 R${encrypt}>>\n%%EOF`), 'a.pdf')).toEqual({ kind: 'pdf' })
})
