import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { keywordOf, markOf, shows, showsAll, showsWhole } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { importFiles, importInput, importResult } from '../transfer/import.routes.ts'
import { ticketNoun } from './ticket.noun.ts'

const ticketType = () => named({ zh: '准考证类别', en: 'Kind of ticket' }, Type.Union([Type.Literal(1), Type.Literal(2)]))
const viewers = 'ticket_view'

const ticketColumns = {
  id: Type.String(),
  examId: Type.String(),
  itemId: Type.String(),
  itemName: Type.String(),
  signUpId: Type.String(),
  signNo: Type.String(),
  type: Type.Integer(),
  ticketNo: Type.String(),
  /** Masked for staff, plain for the candidate. */
  name: Type.String(),
  idCardMask: Type.String(),
  unitName: Type.String(),
  code: Type.String(),
  codeName: Type.String(),
  siteCode: Type.String(),
  siteName: Type.String(),
  siteAddress: Type.String(),
  roomNo: Type.String(),
  roomName: Type.String(),
  floor: nullable(Type.Integer()),
  seatNo: Type.String(),
  startTime: Type.String(),
  endTime: Type.String(),
  reportTime: nullable(Type.String()),
  groupNo: nullable(Type.String()),
  waitRoom: nullable(Type.String()),
  drawNo: nullable(Type.String()),
  ticketState: Type.Integer(),
  allotVersion: Type.Integer(),
  isRendered: Type.Boolean(),
  firstDownTime: nullable(Type.String()),
  downCount: Type.Integer(),
  remark: nullable(Type.String()),
  version: Type.Integer(),
}
export const ticketRow = Type.Object(showsAll(ticketNoun, ticketColumns, { idCardMask: 'idCard' }))

export const ticketNoticeView = Type.Object({
  /** Empty while nothing was written for the examination: then its windows and no text. */
  id: Type.String(),
  examId: Type.String(),
  itemId: Type.String(),
  title: Type.String(),
  /** Cleaned rich text. */
  content: Type.String(),
  downBegin: nullable(Type.String()),
  downEnd: nullable(Type.String()),
  needRead: Type.Boolean(),
  readSeconds: Type.Integer(),
  isUpload: Type.Boolean(),
  uploadKinds: Type.Array(Type.String()),
  uploadHours: Type.Integer(),
  needPromise: Type.Boolean(),
  /** Whether this candidate has read it. */
  read: Type.Boolean(),
  version: Type.Integer(),
})

export const findTicketItems = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/findTicketItems',
  access: { staff: viewers, candidate: 'own' },
  input: strict({ examId: id(), type: optional(ticketType()) }),
  output: Type.Array(
    Type.Object({
      itemId: Type.String(),
      itemName: Type.String(),
      itemCode: Type.String(),
      itemType: Type.Integer(),
      seatGroup: nullable(Type.String()),
      startTime: Type.String(),
      endTime: Type.String(),
      ticketState: Type.Integer(),
      allotVersion: Type.Integer(),
      seedCommit: nullable(Type.String()),
      seedReveal: nullable(Type.String()),
      /** Counts are for staff only. */
      eligible: optional(Type.Integer()),
      generated: optional(Type.Integer()),
      released: optional(Type.Integer()),
      downloaded: optional(Type.Integer()),
      rendered: optional(Type.Integer()),
      rooms: optional(Type.Integer()),
      seats: optional(Type.Integer()),
      needUpload: Type.Boolean(),
      canDownload: Type.Boolean(),
      reason: nullable(Type.String()),
      /** Of a candidate: passed, nothing owed, nothing going back. Otherwise `reason` says why, and no opening time changes it. */
      isEntitled: optional(Type.Boolean()),
    }),
  ),
  tx: 'read',
})

/**
 * What the seats of a paper were drawn from, and the outcome, as a text whose SHA-256 was published when they were drawn: with the seed, which
 * follows the release, whoever supervises the draw makes it again.
 */
export const drawRecordOf = defineRoute({
  method: 'GET',
  path: '/blade-ticket/draw/record',
  access: { staff: 'ticket_generate' },
  input: strict({ examId: id(), itemId: id() }),
  output: Type.Object({ record: Type.String(), digest: Type.String(), version: Type.Integer(), drawnTime: Type.String() }),
})

/** What leads from the caller’s own seats to the roots that were published when the seats were drawn. */
export const getSeatProof = defineRoute({
  method: 'GET',
  path: '/blade-signup/ticket/getSeatProof',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Array(
    Type.Object({
      itemNames: Type.Array(Type.String()),
      version: Type.Integer(),
      signNo: Type.String(),
      siteCode: Type.String(),
      roomNo: Type.String(),
      seatNo: Type.Integer(),
      /** The seat was changed since: the draw put this person elsewhere than the ticket says. */
      isMoved: Type.Boolean(),
      /** The text that is hashed. */
      leaf: Type.String(),
      place: Type.Integer(),
      leaves: Type.Integer(),
      path: Type.Array(Type.String()),
      root: Type.String(),
    }),
  ),
  tx: 'read',
})

/** Who has passed, or holds a seat, and gets none: by name and reason. */
const leftOut = Type.Array(
  Type.Object({
    signUpId: Type.String(),
    signNo: Type.String(),
    name: shows(ticketNoun, 'name', Type.String()),
    reason: Type.String(),
    /** Has a seat all the same, from before. */
    hasSeat: Type.Boolean(),
  }),
)
const allocationPlan = Type.Object({
  eligible: Type.Integer(),
  /** Sign-ups of these papers that are still being examined. */
  pending: Type.Integer(),
  seats: Type.Integer(),
  free: Type.Integer(),
  shortage: Type.Integer(),
  /** Neighbours of one post that no swap could part. */
  adjacency: Type.Integer(),
  withoutAccess: Type.Integer(),
  leftOut,
  made: Type.Integer(),
  groups: Type.Array(
    Type.Object({
      itemIds: Type.Array(Type.String()),
      itemNames: Type.Array(Type.String()),
      eligible: Type.Integer(),
      seats: Type.Integer(),
      free: Type.Integer(),
      shortage: Type.Integer(),
      adjacency: Type.Integer(),
      seedCommit: nullable(Type.String()),
    }),
  ),
  /** The first 200 of the neighbours that stay: where they sit, and whether post, unit or acquaintance (one school class, one household) should part them. */
  conflicts: Type.Array(
    Type.Object({
      itemId: Type.String(),
      siteCode: Type.String(),
      roomNo: Type.String(),
      seats: Type.Array(Type.String()),
      why: Type.String(),
    }),
  ),
  rooms: Type.Array(
    Type.Object({
      itemId: Type.String(),
      siteCode: Type.String(),
      siteName: Type.String(),
      roomNo: Type.String(),
      roomName: Type.String(),
      seats: Type.Integer(),
      seated: Type.Integer(),
    }),
  ),
})

export const creTicketEnd = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/creTicketEnd',
  access: { staff: 'ticket_generate' },
  input: strict({
    examId: id(),
    itemIds: ids(),
    mode: optional(named({ zh: '编排方式', en: 'Way of seating' }, text(10))),
    dryRun: optional(flag()),
    /** Goes on although sign-ups are still being examined; for exam_admin only. */
    force: optional(flag()),
  }),
  several: { because: 'the papers of one allocation of seats' },
  output: allocationPlan,
  tx: 'own',
  keyed: 'own',
  means: 'issueTickets',
})

/** T4 (domain 5.9): a seat plan that was made outside. With a paper it is about that paper and those that share its seats, else about all written ones. */
export const importTicket = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/importTicket',
  access: { staff: 'ticket_generate' },
  input: strict({ examId: id(), itemId: optional(id()), ...importInput }),
  files: importFiles,
  output: importResult,
  tx: 'own',
  keyed: 'own',
  means: 'a plan made outside, all rows or none',
})

/** T5 (domain 5.9): groups, waiting rooms and times of an interview, for people who passed the re-review. */
export const importMsTicket = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/importMsTicket',
  access: { staff: 'ticket_generate' },
  input: strict({ examId: id(), itemId: id(), ...importInput }),
  files: importFiles,
  output: importResult,
  tx: 'own',
  keyed: 'own',
  means: 'groups, waiting rooms and times of an interview',
})

/** Seats for those who became eligible after the draw (domain 7.4); released at once where the paper is. */
export const seatLate = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/seatLate',
  access: { staff: 'ticket_generate' },
  input: strict({ examId: id(), itemId: id(), dryRun: optional(flag()) }),
  output: Type.Object({ late: Type.Integer(), seated: Type.Integer(), shortage: Type.Integer() }),
  means: 'spare seats first, nobody who sits is moved',
})

export const delTicketList = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/delTicketList',
  access: { staff: 'ticket_delete' },
  /** `confirm` is the code of the examination, typed by the person. */
  input: strict({ examId: id(), itemId: id(), confirm: text(20) }),
  output: Type.Object({ removed: Type.Integer() }),
})

/** Gives a void ticket out again: same number and seat, a new code. */
export const reissueTicket = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/reissueTicket',
  access: { staff: 'ticket_edit' },
  input: strict({ id: id(), reason: text(200) }),
  output: ticketRow,
  means: 'gives a void ticket out again on the same seat',
})

export const delTicket = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/delTicket',
  access: { staff: 'ticket_delete' },
  input: strict({ id: id(), reason: optional(text(200)) }),
  output: Type.Object({ id: Type.String() }),
})

export const removeTickets = defineRoute({
  method: 'POST',
  path: '/blade-ticket/ticket/remove',
  access: { staff: 'ticket_delete' },
  input: strict({ ids: optional(ids()), reason: optional(text(200)) }),
  output: Type.Object({ removed: Type.Integer() }),
})

const renderProgress = Type.Object({
  renderId: nullable(Type.String()),
  examId: Type.String(),
  type: Type.Integer(),
  itemIds: Type.Array(Type.String()),
  total: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  problems: Type.Array(Type.Object({ signUpId: Type.String(), name: shows(ticketNoun, 'name', Type.String()), reason: Type.String() })),
  /** 0 running, 1 done, 2 cancelled. */
  state: Type.Integer(),
})

/** What a release would do, and what is not over yet that changes who sits: said before anybody gets a ticket. */
const releaseFacts = Type.Object({
  /** Who would get a ticket, and how many seats these tickets name. */
  people: Type.Integer(),
  tickets: Type.Integer(),
  /** When candidates can download; null: from the release, until the examination begins. */
  downloadBegin: nullable(Type.String()),
  downloadEnd: nullable(Type.String()),
  /** Windows that are still open: sign-up, changes of what was signed up, payment. */
  openWindows: Type.Array(
    Type.Object({ window: Type.Union([Type.Literal('sign'), Type.Literal('modify'), Type.Literal('pay')]), end: Type.String() }),
  ),
  /** Sign-ups for these papers that nobody has decided about. */
  pending: Type.Integer(),
  /** People whose post was cut and whose choice is open or not checked yet. */
  reductions: Type.Integer(),
  leftOut,
})

export const releaseTickets = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/releaseTickets',
  access: { staff: 'ticket_release' },
  input: strict({
    examId: id(),
    itemIds: ids(),
    /** 1 releases, 0 withdraws. */
    state: optional(flag()),
    /** Releases what can be printed: without the rest of the rendering, without names that no font can draw. */
    force: optional(flag()),
    /** Also a text message to everybody. */
    sms: optional(flag()),
    /** 1: where pages have to be made first, the release follows by itself when they are all there; whoever asked need not wait. */
    whenReady: optional(named({ zh: '生成后自动发布', en: 'Release when ready' }, flag())),
    /** 1: changes nothing and says what the release would do (`facts`). */
    dryRun: optional(flag()),
    /** To withdraw after downloads began: the code of the examination, typed by the person. */
    confirm: optional(text(20)),
  }),
  several: { because: 'the papers of one release' },
  output: Type.Object({
    /** `rendering`: the pages are being made; call again when releaseProgress has come to its end. */
    step: Type.Union([Type.Literal('checked'), Type.Literal('rendering'), Type.Literal('released'), Type.Literal('withdrawn')]),
    changed: Type.Integer(),
    progress: nullable(renderProgress),
    /** Of a dry run. */
    facts: optional(releaseFacts),
  }),
  tx: 'own',
  keyed: 'own',
})

export const releaseProgress = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/releaseProgress',
  access: { staff: [viewers, 'ticket_release'] },
  input: strict({ examId: id(), type: optional(ticketType()) }),
  output: nullable(renderProgress),
  tx: 'read',
  background: true,
})

export const cancelRender = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/cancelTicketRender',
  access: { staff: 'ticket_release' },
  input: strict({ renderId: id() }),
  output: Type.Object({ state: Type.Integer() }),
})

export const saveTicket = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/saveTicket',
  access: { staff: 'ticket_edit' },
  input: strict({
    id: id(),
    version: optional(int(0, 2_147_483_647)),
    siteCode: optional(Type.String({ pattern: '^\\d{2}$' })),
    roomNo: optional(Type.String({ pattern: '^\\d{3}$' })),
    seatNo: optional(Type.String({ pattern: '^\\d{1,2}$' })),
    startTime: optional(time()),
    endTime: optional(time()),
    reportTime: optional(nullable(time())),
    remark: optional(nullable(text(200))),
  }),
  output: ticketRow,
  also: ['POST /blade-ticket/ticket/submit'],
})

export const getExamTicketList = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getExamTicketList',
  access: { staff: viewers, candidate: 'own' },
  input: strict({
    ...pageInput,
    examId: optional(id()),
    itemId: optional(id()),
    type: optional(ticketType()),
    ticketState: optional(int(0, 3)),
    siteCode: optional(text(2)),
    roomNo: optional(text(3)),
    /** Ticket number, sign-up number or part of the name. */
    keyword: optional(keywordOf([markOf(ticketNoun, 'name'), markOf(ticketNoun, 'ticketNo')], text(50))),
  }),
  output: pageOf(ticketRow),
  tx: 'read',
  also: ['POST /blade-exam/examination/getExamTicketList', 'GET /blade-ticket/ticket/list', 'GET /blade-ticket/ticket/page'],
})

export const getTicketInfo = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getTicketInfo',
  access: { staff: viewers, candidate: 'own' },
  input: strict({ id: id() }),
  output: Type.Object({
    ticket: ticketRow,
    items: Type.Array(ticketRow),
    notice: ticketNoticeView,
    canDownload: Type.Boolean(),
    reason: nullable(Type.String()),
  }),
  also: ['GET /blade-ticket/ticket/detail'],
})

export const getTicketNotice = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getTicketNotice',
  access: { signedIn: true, because: 'the rules are for everybody who takes part; drafts of examinations stay hidden by row policy' },
  input: strict({ examId: id(), itemId: optional(id()) }),
  output: ticketNoticeView,
  tx: 'read',
})

export const saveTicketNotice = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/saveTicketNotice',
  access: { staff: 'ticket_edit' },
  input: strict({
    examId: id(),
    itemId: optional(id()),
    version: optional(int(0, 2_147_483_647)),
    title: Type.String({ minLength: 1, maxLength: 100, 'x-label': { zh: '标题', en: 'Title' } }),
    content: Type.String({ minLength: 1, maxLength: 20_000, 'x-label': { zh: '内容', en: 'Content' } }),
    downBegin: optional(nullable(time())),
    downEnd: optional(nullable(time())),
    needRead: optional(flag()),
    readSeconds: optional(int(0, 300)),
    isUpload: optional(flag()),
    uploadKinds: optional(Type.Array(Type.Union([Type.Literal('jkm'), Type.Literal('xcm'), Type.Literal('hsjcbg')]), { maxItems: 3 })),
    uploadHours: optional(int(1, 720)),
    needPromise: optional(flag()),
  }),
  output: ticketNoticeView,
})

export const readTicketNotice = defineRoute({
  method: 'POST',
  path: '/blade-ticketNotice/ticketnotice/readTicketNotice',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({ read: Type.Boolean() }),
})

/** What stands on a printed ticket. */
const printed = (['name', 'idCard', 'ticketNo', 'photo'] as const).map(field => markOf(ticketNoun, field))

export const printTickets = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/exportPDFView',
  access: { staff: 'ticket_print' },
  input: strict({
    examId: id(),
    itemId: optional(id()),
    type: optional(ticketType()),
    ids: optional(ids()),
    siteCode: optional(text(2)),
    roomNo: optional(text(3)),
    /** By seat (default) or by ticket number. */
    order: optional(named({ zh: '打印顺序', en: 'Order of printing' }, Type.Union([Type.Literal('seat'), Type.Literal('number')]))),
    /** `ticket` (default), or sheets of rooms: `desk` labels, `door` sheets, `sign`ature sheets, `photo` lists. */
    layout: optional(named({ zh: '版式', en: 'Layout' }, text(10))),
  }),
  output: exportJobView,
  tells: printed,
  answer: 'file',
  kinds: ['pdf', 'zip'],
  tx: 'own',
  also: ['GET /blade-exam/examination/exportPDFView', 'POST /blade-signup/signup/exportPDFView'],
})

export const exportTicket = defineRoute({
  method: 'GET',
  path: '/blade-signup/signup/exportTicket',
  access: { staff: 'ticket_print', candidate: 'own' },
  /** `id` is a sign-up id; a ticket id is understood too. */
  input: strict({ id: id(), type: optional(ticketType()) }),
  output: Type.Unknown(),
  tells: printed,
  answer: 'file',
  kinds: ['pdf'],
  tx: 'own',
  also: ['POST /blade-signup/signup/exportTicket'],
})

export const saveTicketDownInfo = defineRoute({
  method: 'POST',
  path: '/blade-ticketNotice/ticketnotice/saveTicketDownInfo',
  access: { candidate: 'own' },
  input: strict({ eid: id(), itemId: id(), type: ticketType() }),
  output: Type.Object({ recorded: Type.Boolean() }),
  tx: 'own',
  means: 'recordDownload',
})

const healthImageBytes = 5 * 1024 * 1024

/** Health documents that the notice asks for, with the record of the download, in one transaction (domain 5.8). */
export const savePicAndDownInfo = defineRoute({
  method: 'POST',
  path: '/blade-ticketNotice/ticketnotice/savePicAndDownInfo',
  access: { candidate: 'own' },
  input: strict({
    examId: id(),
    itemId: id(),
    type: optional(ticketType()),
    /** When the oldest of the documents was issued; without it they count as issued now. */
    reportTime: optional(named({ zh: '材料出具时间', en: 'Time of the documents' }, time())),
  }),
  output: Type.Object({ recorded: Type.Boolean(), done: Type.Boolean() }),
  files: ['jkm', 'xcm', 'hsjcbg'].map(name => ({ name, maxBytes: healthImageBytes, maxCount: 1 })),
  tx: 'own',
  means: 'storePhotoAndDownload',
})

export const getTicketNoticeIsUpload = defineRoute({
  method: 'GET',
  path: '/blade-ticketNotice/ticketnotice/getTicketNoticeIsUpload',
  access: { candidate: 'own' },
  input: strict({ examId: id() }),
  output: Type.Object({
    isUpload: Type.Boolean(),
    kinds: Type.Array(Type.String()),
    uploadHours: Type.Integer(),
    done: Type.Boolean(),
    content: Type.String(),
    needRead: Type.Boolean(),
    readSeconds: Type.Integer(),
    read: Type.Boolean(),
  }),
  tx: 'read',
})

/** What the QR of a ticket answers to staff at the site who are logged in; everybody else sees the public page of the same address. */
export const checkTicket = defineRoute({
  method: 'GET',
  path: '/t/:token',
  access: { staff: viewers },
  input: strict({ token: text(60) }),
  output: Type.Object({
    valid: Type.Boolean(),
    /** Why not, in the reader's language. */
    reason: nullable(Type.String()),
    version: Type.Integer(),
    name: shows(ticketNoun, 'name', Type.String()),
    idCardMask: shows(ticketNoun, 'idCard', Type.String()),
    ticketNo: shows(ticketNoun, 'ticketNo', Type.String()),
    photoUrl: showsWhole(ticketNoun, 'photo', nullable(Type.String())),
    examName: Type.String(),
    items: Type.Array(
      Type.Object({
        itemName: Type.String(),
        siteName: Type.String(),
        roomNo: Type.String(),
        seatNo: Type.String(),
        startTime: Type.String(),
        ticketState: Type.Integer(),
      }),
    ),
  }),
  tx: 'read',
})

export const ticketRoutes = [
  findTicketItems,
  creTicketEnd,
  drawRecordOf,
  getSeatProof,
  importTicket,
  importMsTicket,
  seatLate,
  delTicketList,
  delTicket,
  reissueTicket,
  removeTickets,
  releaseTickets,
  releaseProgress,
  cancelRender,
  saveTicket,
  getExamTicketList,
  getTicketInfo,
  getTicketNotice,
  saveTicketNotice,
  readTicketNotice,
  printTickets,
  exportTicket,
  saveTicketDownInfo,
  savePicAndDownInfo,
  getTicketNoticeIsUpload,
  checkTicket,
] as const satisfies readonly Route[]
