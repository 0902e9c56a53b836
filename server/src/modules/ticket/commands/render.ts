import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { OutcomeUnknownError } from '#kernel/db/unavailable.ts'
import { PdfRenderError } from '#kernel/pdf/pool.ts'
import type { StoredFileRow } from '#modules/file/index.ts'
import { keepPages } from '../data/sheet.repo.ts'
import type { TicketType } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { type PersonSheet, readSheets } from './read-sheets.ts'

export interface RenderProblem {
  readonly signUpId: string
  readonly name: string
  readonly reason: string
}
export interface RenderOutcome {
  readonly done: readonly string[]
  readonly problems: readonly RenderProblem[]
}

const sheetTools = ({ services, file }: TicketContext) => ({ cipher: services.cipher, file, config: services.config })

const nameOf = ({ sheet }: PersonSheet): string =>
  `${sheet.kind === 'written' ? '准考证' : '面试准考证'}_${sheet.ticketNo}_${sheet.name}.pdf`

const storePdf = (context: TicketContext, db: TenantDb, person: PersonSheet, bytes: Uint8Array): Promise<StoredFileRow> =>
  context.file.keepBytes(db, {
    bytes,
    name: nameOf(person),
    kind: 'pdf',
    userId: person.userId,
    ownerKind: 'ticket',
    ownerId: person.tickets[0]?.id ?? '0',
  })

/**
 * Renders the tickets of these people and stores the files. Only rows that are as they were read get the file, so a change in between
 * leaves the row without one and it is rendered again. Papers released before keep their old file until the new papers are released.
 */
export const renderPeople = async (
  context: TicketContext,
  tenantId: string,
  wish: { readonly examId: string; readonly type: TicketType; readonly signupIds: readonly string[]; readonly itemIds: readonly string[] },
  /** Counts the progress in the transaction that stores the files. */
  count: (db: TenantDb, outcome: RenderOutcome) => Promise<void> = async () => undefined,
): Promise<RenderOutcome> => {
  const { scopes, clock } = context.services
  const actor = systemOf(tenantId)
  const people = await scopes.tx(actor, clock.now(), db => readSheets(db, sheetTools(context), wish))
  const createdAt = clock.now().toISOString()
  const outcomes = await Promise.all(
    people.map(async person => {
      try {
        return { person, bytes: await context.pool().render({ sheets: [person.sheet], createdAt }) }
      } catch (error) {
        if (!(error instanceof PdfRenderError)) throw error
        const reason = error.missingCharacters.length > 0 ? `无法打印的字：${error.missingCharacters.join(' ')}` : error.message
        return { person, reason }
      }
    }),
  )
  const stored: StoredFileRow[] = []
  const store = async (db: TenantDb): Promise<RenderOutcome> => {
    const done: string[] = []
    for (const outcome of outcomes) {
      if (outcome.bytes === undefined) continue
      const { person, bytes } = outcome
      const file = await storePdf(context, db, person, bytes)
      stored.push(file)
      const waiting = person.tickets.filter(row => row.pdfFileId === null || (wish.itemIds.length === 0 && row.releasedAt !== null))
      await keepPages(db, waiting, file.id)
      done.push(person.signupId)
    }
    const outcome = {
      done,
      problems: outcomes.flatMap(({ person, reason }) =>
        reason === undefined ? [] : [{ signUpId: person.signupId, name: person.sheet.name, reason }],
      ),
    }
    await count(db, outcome)
    return outcome
  }
  try {
    return await scopes.tx(actor, clock.now(), store)
  } catch (error) {
    // Nobody knows of these any more: on a disk that is full they would keep the space that the next try needs. Where it cannot be told whether
    // they were kept, they stay.
    if (!(error instanceof OutcomeUnknownError)) for (const { storageKey } of stored) await context.services.files.remove(storageKey)
    throw error
  }
}

/** Many people in one document, for the printer or to look at before the release; nothing is stored. */
export const printPeople = async (
  context: TicketContext,
  db: TenantDb,
  wish: { readonly examId: string; readonly type: TicketType; readonly signupIds: readonly string[]; readonly isDraft: boolean },
): Promise<Uint8Array> => {
  const people = await readSheets(db, sheetTools(context), { ...wish, itemIds: wish.isDraft ? 'all' : [] })
  return context.pool().render({ sheets: people.map(person => person.sheet), createdAt: db.now.toISOString() })
}
