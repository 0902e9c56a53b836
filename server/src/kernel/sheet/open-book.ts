import { withoutRadicals } from '#contract/kernel/radicals.ts'
import { GENERAL, type NumberFormat, readFormat } from './number-format.ts'
import { attributeOf, decodeExcel, isOn, scanAll, scanXml } from './xml-scan.ts'

/** The parts of an archive by their paths, whatever their case. */
export interface Parts {
  readonly text: (path: string) => Promise<string | undefined>
  readonly pieces: (path: string) => AsyncIterable<string> | undefined
}

export interface BookSheet {
  readonly name: string
  readonly isHidden: boolean
  /** A sheet of cells, other than one that is a chart. */
  readonly isGrid: boolean
  readonly path: string
}

export interface Book {
  readonly sheets: readonly BookSheet[]
  /** Days are counted from 1904 instead of 1900. */
  readonly is1904: boolean
  /** Whoever made it left its formulas to be worked out: what is stored of them says nothing. */
  readonly isStale: boolean
  readonly strings: readonly string[]
  /** By the number of a cell's style. */
  readonly formats: readonly NumberFormat[]
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** A target as relations name it: from the root or from the folder of the part they belong to. */
const pathFrom = (part: string, target: string): string => {
  const path: string[] = []
  for (const step of (target.startsWith('/') ? target : folderOf(part) + target).split('/'))
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  return path.join('/')
}

/** The kind of a relation is the end of its type: the strict form of the standard has another beginning. */
const relationsOf = async (parts: Parts, part: string): Promise<readonly Relation[]> => {
  const folder = folderOf(part)
  const xml = await parts.text(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const relations: Relation[] = []
  scanAll(xml ?? '', {
    open: (name, attributes) => {
      if (name !== 'Relationship' || attributeOf(attributes, 'TargetMode') === 'External') return
      const type = attributeOf(attributes, 'Type') ?? ''
      relations.push({
        id: attributeOf(attributes, 'Id') ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        target: pathFrom(part, attributeOf(attributes, 'Target') ?? ''),
      })
    },
    close: () => {},
    text: () => {},
  })
  return relations
}

const readFormats = (xml: string): readonly NumberFormat[] => {
  const custom = new Map<number, string>()
  const read = new Map<number, NumberFormat>([[0, GENERAL]])
  const formats: NumberFormat[] = []
  let isInside = false
  scanAll(xml, {
    open: (name, attributes) => {
      if (name === 'numFmt') custom.set(Number(attributeOf(attributes, 'numFmtId')), attributeOf(attributes, 'formatCode') ?? '')
      else if (name === 'cellXfs') isInside = true
      else if (name === 'xf' && isInside) {
        const id = Number(attributeOf(attributes, 'numFmtId') ?? 0)
        const code = custom.get(id)
        const format = code !== undefined && /^general$/i.test(code) ? GENERAL : (read.get(id) ?? readFormat(id, code))
        read.set(id, format)
        formats.push(format)
      }
    },
    close: name => {
      if (name === 'cellXfs') isInside = false
    },
    text: () => {},
  })
  return formats
}

/** Gathers the text of a string item: its runs, without the reading aids above it. */
export const stringReader = () => {
  let text = ''
  let isText = false
  let isReading = false
  return {
    open: (name: string): void => {
      if (name === 'rPh') isReading = true
      else if (name === 't') isText = true
    },
    text: (piece: string): void => {
      if (isText && !isReading) text += piece
    },
    close: (name: string): void => {
      if (name === 'rPh') isReading = false
      else if (name === 't') isText = false
    },
    take: (): string => {
      // Out of copied PDF text come radicals that look like their characters.
      const whole = withoutRadicals(decodeExcel(text))
      text = ''
      return whole
    },
  }
}

const readStrings = async (pieces: AsyncIterable<string> | undefined): Promise<readonly string[]> => {
  const strings: string[] = []
  const item = stringReader()
  const scan = scanXml({
    open: item.open,
    text: item.text,
    close: name => {
      item.close(name)
      if (name === 'si') strings.push(item.take())
    },
  })
  if (!pieces) return strings
  for await (const piece of pieces) scan.push(piece)
  scan.end()
  return strings
}

/** Reads what a workbook says of itself; of its sheets only where they are. */
export const openBook = async (parts: Parts): Promise<Book> => {
  const [root] = (await relationsOf(parts, '')).filter(({ type }) => type === 'officeDocument')
  const path = root?.target ?? 'xl/workbook.xml'
  const xml = await parts.text(path)
  if (xml === undefined) throw new Error('no workbook part')
  const relations = await relationsOf(parts, path)
  const sheets: BookSheet[] = []
  let is1904 = false
  let isStale = false
  scanAll(xml, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isOn(attributeOf(attributes, 'date1904'))
      else if (name === 'calcPr') isStale = isOn(attributeOf(attributes, 'fullCalcOnLoad'))
      else if (name === 'sheet') {
        const relation = relations.find(({ id }) => id === attributeOf(attributes, 'id'))
        sheets.push({
          name: attributeOf(attributes, 'name') ?? '',
          isHidden: /hidden$/i.test(attributeOf(attributes, 'state') ?? ''),
          isGrid: relation?.type === 'worksheet',
          path: relation?.target ?? '',
        })
      }
    },
    close: () => {},
    text: () => {},
  })
  const pathOf = (kind: string) => relations.find(({ type }) => type === kind)?.target
  const [styles, strings] = [pathOf('styles'), pathOf('sharedStrings')]
  return {
    sheets,
    is1904,
    isStale,
    formats: readFormats((styles && (await parts.text(styles))) ?? ''),
    strings: await readStrings(strings === undefined ? undefined : parts.pieces(strings)),
  }
}
