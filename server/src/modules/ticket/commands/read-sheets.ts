import { printedItems, ticketText } from '#contract/exam/ticket-fields.ts'
import { endBeside, toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { type AnswerWords, answerText } from '#contract/signup/answer-text.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type ExamRow, findExam, listPapers, listSignItems, type PaperRow } from '#modules/exam/index.ts'
import type { FileModule } from '#modules/file/index.ts'
import { readDictionaries, regionName } from '#modules/reference/index.ts'
import { openContent } from '#modules/signup/index.ts'
import { type HelpRow, listHelp } from '../data/accommodation.repo.ts'
import { findNotice, type NoticeRow } from '../data/notice.repo.ts'
import { listAnswers, listSheetPeople, type SheetPerson } from '../data/sheet.repo.ts'
import { type TicketRow, type TicketType, ticketsOf } from '../data/ticket.repo.ts'
import { endWithHelp, helpText } from '../domain/help-text.ts'
import { noticeParagraphs } from '../domain/notice-text.ts'
import { dayText, defaultNotice, shortRules } from '../domain/sheet-text.ts'
import type { TicketSheet } from '../templates/ticket.ts'

/** A sheet together with what it was made from. */
export interface PersonSheet {
  readonly signupId: string
  readonly userId: string
  readonly tickets: readonly TicketRow[]
  readonly sheet: TicketSheet
}

export interface SheetWish {
  readonly examId: string
  readonly type: TicketType
  readonly signupIds: readonly string[]
  /** Papers about to be released, shown beside the released ones; `all` for previews. */
  readonly itemIds: readonly string[] | 'all'
  readonly isDraft?: boolean
}

const siteBase = (publicUrl: string | undefined, port: number): string => publicUrl ?? `http://localhost:${port}`

/** Everything that the tickets of these people show. People without a ticket among the wished papers are left out. */
export const readSheets = async (
  db: TenantDb,
  tools: {
    cipher: FieldCipher
    file: FileModule
    config: { readonly publicUrl?: string; readonly port: number }
  },
  wish: SheetWish,
): Promise<PersonSheet[]> => {
  const exam = await findExam(db, wish.examId)
  if (!exam) return []
  const papers = new Map((await listPapers(db, wish.examId)).map(paper => [paper.id, paper]))
  const people = await listSheetPeople(db, wish.signupIds)
  const granted = await listHelp(db, wish.signupIds)
  const printed = await printedAnswers(db, tools, wish)
  const personOf = new Map(people.map(person => [person.id, person]))
  const rowsOf = Map.groupBy(
    (await ticketsOf(db, wish.signupIds, wish.type)).filter(
      row =>
        row.ticketState !== 'void' &&
        (wish.itemIds === 'all' || wish.itemIds.includes(row.itemId) || row.ticketState === 'released' || row.ticketState === 'downloaded'),
    ),
    row => row.signupId,
  )
  const notices = new Map<string, NoticeRow | undefined>()
  const noticeOf = async (itemId: string): Promise<NoticeRow | undefined> => {
    if (!notices.has(itemId)) notices.set(itemId, await findNotice(db, wish.examId, itemId))
    return notices.get(itemId)
  }
  const sheets: PersonSheet[] = []
  for (const signupId of wish.signupIds) {
    const person = personOf.get(signupId)
    const rows = rowsOf.get(signupId)
    const [first] = rows ?? []
    if (!person || !rows || !first) continue
    const help = granted.get(signupId)
    const helpWords = helpText(help, wish.type === 1)
    const notice = await noticeOf(rows.length === 1 ? first.itemId : '0')
    sheets.push({
      signupId,
      userId: person.userId,
      tickets: rows,
      sheet: {
        ...(await identityOf(db, tools, person)),
        ...examPart(exam, rows, papers, wish.type === 1 ? help : undefined, db.now),
        ticketNo: first.ticketNo,
        unitName: first.unitName,
        post: first.code === '' ? first.codeName : `${first.codeName}（${first.code}）`,
        signNo: first.signNo,
        more: printed(signupId),
        kind: wish.type === 2 ? 'interview' : 'written',
        qrText: `${siteBase(tools.config.publicUrl, tools.config.port)}/t/${db.actor.tenantId}-${first.qrToken}`,
        remark: [...new Set(rows.flatMap(row => row.remark ?? [])), ...(helpWords === '' ? [] : [`合理便利：${helpWords}`])].join('；'),
        noticeTitle: notice?.title ?? '考生须知',
        notice: notice ? noticeParagraphs(notice.content) : defaultNotice(exam.contactPhone),
        isDraft: wish.isDraft === true,
      },
    })
  }
  return sheets
}

/** What the examination prints of a person's answers (`useInTicket`, domain 3.3), in the order of its form; sealed ones opened and masked. */
const printedAnswers = async (
  db: TenantDb,
  { cipher }: { readonly cipher: FieldCipher },
  { examId, signupIds }: SheetWish,
): Promise<(signupId: string) => TicketSheet['more']> => {
  const items = printedItems(await listSignItems(db, examId))
  if (items.length === 0) return () => []
  const [answers, dictionaries] = await Promise.all([
    listAnswers(db, signupIds),
    readDictionaries(
      db,
      items.flatMap(item => item.dictCode ?? []),
    ),
  ])
  const contents = new Map(
    answers.map(({ id, content }) => [id, openContent(cipher, { tenantId: db.actor.tenantId, table: 'signup', rowId: id }, content)]),
  )
  const words: AnswerWords = {
    ...wordsOnPaper,
    chosen: (field, key) =>
      field.fieldType === 'region'
        ? regionName(key)
        : field.dictCode
          ? dictionaries[field.dictCode]?.find(entry => entry.key === key)?.zh || undefined
          : undefined,
  }
  return signupId => {
    const content = contents.get(signupId) ?? {}
    return items.map(item => ({
      label: item.itemLabel,
      value: ticketText(item, answerText(item, content[item.itemKey], words)) || '—',
    }))
  }
}
const wordsOnPaper = { between: '、', betweenCells: ' ', betweenRows: '；', provided: '已提供', sealed: '****' } as const

const identityOf = async (
  db: TenantDb,
  { cipher, file }: { cipher: FieldCipher; file: FileModule },
  person: SheetPerson,
): Promise<Pick<TicketSheet, 'name' | 'sex' | 'idCard' | 'photo'>> => {
  const photo = person.photoFileId === null ? undefined : await file.find(db, person.photoFileId)
  return {
    name: person.name,
    sex: person.sex === 1 ? '男' : person.sex === 2 ? '女' : '',
    idCard: person.idCard
      ? cipher.open(db.actor.tenantId, { table: 'signup', column: 'id_card_sealed', rowId: person.id }, person.idCard)
      : '',
    photo: photo && (photo.ext === 'jpg' || photo.ext === 'png') ? new Uint8Array(await file.read(photo)) : null,
  }
}

const examPart = (
  exam: ExamRow,
  rows: readonly TicketRow[],
  papers: ReadonlyMap<string, PaperRow>,
  help: HelpRow | undefined,
  now: Date,
) => {
  const own = rows.flatMap(row => papers.get(row.itemId) ?? [])
  const pdfVersion = Math.max(...rows.map(row => row.pdfVersion))
  return {
    examName: exam.examName,
    undertaker: exam.undertaker ?? exam.organizer,
    contactPhone: exam.contactPhone,
    lines: rows.map(row => ({
      itemName: row.itemName,
      day: dayText(toWireDay(row.startTime)),
      time: `${toWireTime(row.startTime).slice(11, 16)}–${endBeside(toWireTime(row.startTime), toWireTime(endWithHelp(row.endTime, help)))}${help?.extraMinutes ? `\n含延长 ${help.extraMinutes} 分钟` : ''}`,
      report: row.reportTime ? toWireTime(row.reportTime).slice(11, 16) : '',
      siteName: row.siteName,
      siteAddress: row.siteAddress,
      room: row.roomName === '' ? `第 ${row.roomNo} 考场` : `第 ${row.roomNo} 考场\n${row.roomName}`,
      seatNo: row.seatNo,
      groupNo: row.groupNo ?? '',
      waitRoom: row.waitRoom ?? '',
      drawNo: row.drawNo ?? '',
      rules: noticeParagraphs(papers.get(row.itemId)?.rules ?? '').join('\n'),
    })),
    shortRules: shortRules(own),
    issuedAt: toWireTime(now).slice(0, 16),
    version: `v${Math.max(...rows.map(row => row.allotVersion))}${pdfVersion > 1 ? `.${pdfVersion}` : ''}`,
  }
}
