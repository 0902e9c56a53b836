import PDFDocument from 'pdfkit'
import { darkRuns, qrModules } from '#kernel/qr.ts'

const mm = 72 / 25.4

/** Two pages with the photo, the QR code and the rules of a ticket, and no text: what pdfkit needs before a font is touched. */
export const renderBare = (photo: Uint8Array, qrText: string): Promise<Uint8Array> =>
  new Promise((done, fail) => {
    const document = new PDFDocument({ size: 'A4', margin: 0, compress: true })
    const parts: Buffer[] = []
    document.on('data', part => parts.push(part as Buffer))
    document.on('end', () => done(Buffer.concat(parts)))
    document.on('error', fail)
    document.image(Buffer.from(photo), 160 * mm, 38 * mm, { fit: [30 * mm, 42 * mm] })
    for (let row = 0; row < 12; row += 1)
      for (let column = 0; column < 5; column += 1)
        document.rect((15 + column * 36) * mm, (38 + row * 9) * mm, 36 * mm, 9 * mm).stroke('#64748b')
    const module = (30 * mm) / qrModules(qrText).size
    for (const run of darkRuns(qrText))
      document.rect(160 * mm + run.column * module, 84 * mm + run.row * module, run.length * module, module)
    document.fill('#000000')
    document.addPage()
    document.rect(15 * mm, 26 * mm, 180 * mm, 0.5 * mm).fill('#1f4e79')
    document.end()
  })
