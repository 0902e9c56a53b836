import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { keywordOf, markOf, nounOf, shows } from '../kernel/field-rule.ts'
import { cappedPageOf, countInput, pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { messageTab, notifyRow } from '../message/message.routes.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { notice } from './notice.resource.ts'
import { noticeFile } from './notice-file.resource.ts'

const S = Type.String()
const I = Type.Integer()
const B = Type.Boolean()

/** Everybody may ask: what comes back is what is published to whoever asks. */
const open = { public: true, because: 'announcements are public; what is for fewer people is answered to those alone' } as const
const own = { signedIn: true, because: 'everybody reads and confirms what is addressed to them' } as const

const textVersion = named({ zh: '内容版本', en: 'Version of the text' }, int(1, 1_000_000))

/** A notice in a list, as its readers see it. */
const line = Type.Object({
  id: S,
  title: S,
  noticeType: I,
  scope: I,
  examId: nullable(S),
  /** Begin of the text, without markup. */
  summary: S,
  releaseTime: S,
  endTime: nullable(S),
  /** Its end has come: it is kept to be read. */
  isOver: B,
  isTop: B,
  popup: B,
  needSure: B,
  /** Rises when title, text or files of what was published change: a confirmation is of one version. */
  textVersion: I,
  read: B,
  sureTime: nullable(S),
})
const fileLine = Type.Object({ id: S, name: S, size: I, link: S })
const newsLine = Type.Object({
  id: S,
  title: S,
  summary: S,
  /** Where its picture is; empty without one. */
  cover: S,
  source: S,
  author: S,
  releaseTime: S,
  isTop: B,
})

const getNoticeList = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getNoticeList',
  access: open,
  input: strict({
    ...pageInput,
    noticeType: optional(int(1, 5)),
    examId: optional(id()),
    keyword: optional(text(100)),
    /** Those that wait for the caller: to be confirmed, or to pop up. */
    waiting: optional(flag()),
  }),
  output: pageOf(line),
  tx: 'read',
  background: true,
})
const getNoticeInfo = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getNoticeInfo',
  access: open,
  input: strict({ id: id() }),
  output: Type.Object({
    ...line.properties,
    content: S,
    examName: nullable(S),
    /** What somebody who wants to apply asks first; null for a notice of no examination, or of one that is not released. */
    exam: nullable(Type.Object({ signBegin: nullable(S), signEnd: nullable(S), contactPhone: S, isSigning: B })),
    files: Type.Array(fileLine),
  }),
  tx: 'read',
})
const getIndexNotice = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/getIndexNotice',
  access: { public: true, because: 'the public blocks of the first page' },
  input: strict({ size: optional(int(1, 20)) }),
  output: Type.Object({
    top: Type.Array(line),
    recruit: Type.Array(line),
    notice: Type.Array(line),
    publicity: Type.Array(line),
    news: Type.Array(newsLine),
  }),
  tx: 'own',
  background: true,
})
const readNotice = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/readNotice',
  access: own,
  input: strict({ id: optional(id()), ids: optional(ids()), all: optional(flag()) }),
  several: { because: 'ids that are not there, or read already, change nothing' },
  output: Type.Object({ unreadCount: I }),
})
const sureNotify = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/sureNotify',
  access: own,
  /** `textVersion` is that of the text on the screen of a notice: a former one confirms nothing. Clients of the framework send none. */
  input: strict({ id: id(), textVersion: optional(textVersion) }),
  output: Type.Object({ sureTime: S }),
})

/** A notice among one's messages. */
const ownLine = Type.Object({
  ...notifyRow.properties,
  isNotice: B,
  /** Null of a message: its text never changes. */
  textVersion: nullable(I),
  /** Counted as unread: nobody in particular is expected to read what is public. */
  isUnread: B,
})
/** Tabs of the popover (S2.42): letters of the system, news of one's own affairs, and notices. */
const ownNotices = defineRoute({
  method: 'GET',
  path: '/me/notices',
  access: own,
  input: strict({ latest: optional(int(1, 20)) }),
  output: Type.Object({
    unreadCount: I,
    /** The examples of S2.42 stand below what is real: in a demo and in tests. */
    hasSamples: B,
    tabs: Type.Array(
      Type.Object({
        tab: Type.Union([...messageTab.anyOf, Type.Literal('notices')]),
        unreadCount: I,
        total: I,
        records: Type.Array(ownLine),
      }),
    ),
  }),
  tx: 'read',
  background: true,
})

const newsList = defineRoute({
  method: 'GET',
  path: '/news/list',
  access: open,
  input: strict({ ...pageInput, keyword: optional(text(100)) }),
  output: pageOf(newsLine),
  tx: 'read',
  means: 'news as everybody reads them, the newest first',
})
const newsInfo = defineRoute({
  method: 'GET',
  path: '/news/info',
  access: open,
  input: strict({ id: id() }),
  output: Type.Object({ ...newsLine.properties, content: S }),
  tx: 'own',
  means: 'one of the news, and counts that it was read',
})
/** Opens in a page and in a new tab: no header is asked for, and whoever is logged in is known by their cookie. */
const shownFile = { answer: 'file', tx: 'own' } as const
const readPicture = defineRoute({
  method: 'GET',
  path: '/rich-text/picture/:id',
  access: open,
  input: strict({ id: id() }),
  output: Type.Unknown(),
  ...shownFile,
  kinds: ['jpg', 'png'],
  means: 'a picture of a notice or of news, to whoever may read that',
})
const readNoticeFile = defineRoute({
  method: 'GET',
  path: '/news/file/:id',
  access: open,
  input: strict({ id: id() }),
  output: Type.Unknown(),
  ...shownFile,
  kinds: ['jpg', 'png', 'pdf', 'xlsx', 'docx'],
  means: 'a file beside a notice, to whoever may read that',
})

const getNoticeFiles = defineRoute({
  method: 'GET',
  path: '/blade-desk/notice/getNoticeFiles',
  access: { staff: 'notice_view' },
  input: strict({ noticeId: id() }),
  output: Type.Array(
    Type.Object({
      ...fileLine.properties,
      name: shows(nounOf(noticeFile), 'name', S),
      size: shows(nounOf(noticeFile), 'size', nullable(I)),
      fileId: S,
      downCount: shows(nounOf(noticeFile), 'downCount', nullable(I)),
    }),
  ),
  tx: 'read',
})
const event = Type.Union([Type.Literal('publish'), Type.Literal('withdraw'), Type.Literal('revise')], {
  'x-label': { zh: '操作', en: 'Action' },
})
const moveInput = {
  id: id(),
  event,
  reason: optional(named({ zh: '下架原因', en: 'Reason' }, text(200))),
  version: optional(Type.Integer({ minimum: 0 })),
}
const moveNotice = defineRoute({
  method: 'POST',
  path: '/blade-desk/notice/changeState',
  access: { staff: 'notice_release' },
  input: strict({
    ...moveInput,
    releaseTime: optional(time()),
    /** Answers what publishing would be warned of, and changes nothing. */
    dryRun: optional(flag()),
  }),
  output: Type.Object({
    state: I,
    releaseTime: nullable(S),
    warnings: Type.Array(Type.Object({ field: S, text: S })),
  }),
  means: 'publishes a draft now or at a time, withdraws what is published, or makes a draft of it again',
})
const putOnTop = defineRoute({
  method: 'POST',
  path: '/blade-desk/notice/setTop',
  access: { staff: 'notice_release' },
  input: strict({ id: id(), isTop: flag() }),
  output: Type.Object({ isTop: B }),
  means: 'puts a notice on top of the lists, or takes it from there',
})
const previewText = defineRoute({
  method: 'POST',
  path: '/blade-desk/notice/preview',
  access: { staff: ['notice_add', 'notice_edit', 'notice_view', 'news_add', 'news_edit', 'news_view'] },
  input: strict({ content: named({ zh: '正文', en: 'Text' }, text(200_000)) }),
  output: Type.Object({ content: S }),
  tx: 'read',
  means: 'a text as its readers will see it, after what could act has been taken out',
})
const makePublicity = defineRoute({
  method: 'POST',
  path: '/blade-desk/notice/makePublicity',
  access: { staff: 'notice_add' },
  input: strict({
    examId: id(),
    list: named({ zh: '名单', en: 'List' }, Type.Union([Type.Literal(1), Type.Literal(2)])),
  }),
  output: Type.Object({ id: S, title: S, people: I }),
  means: 'makes the draft of a publicity list from released results',
})
const moveNews = defineRoute({
  method: 'POST',
  path: '/blade-news/news/changeState',
  access: { staff: 'news_release' },
  input: strict({ ...moveInput, releaseTime: optional(time()) }),
  output: Type.Object({ state: I, releaseTime: nullable(S) }),
  means: 'publishes news now or at a time, withdraws them, or makes a draft of them again',
})

const person = {
  userId: S,
  account: S,
  realName: shows(userNoun, 'realName', S),
  phone: shows(userNoun, 'phone', S),
}
const keyword = optional(keywordOf([markOf(userNoun, 'realName')], text(60)))
/** Which of the addressees: 1 has not read, 2 has read, 3 has not confirmed, 4 has confirmed. */
const readFilter = optional(named({ zh: '阅读情况', en: 'Has read' }, int(1, 4)))
/** Without a version the present text is meant; of a former one those are listed who had read it. */
const noticeReadFilter = { noticeId: id(), textVersion: optional(textVersion), state: readFilter, keyword, userId: optional(id()) }
const noticeReadRow = Type.Object({
  id: S,
  noticeId: S,
  title: shows(nounOf(notice), 'title', S),
  textVersion: I,
  ...person,
  readTime: nullable(S),
  sureTime: nullable(S),
})
const noticeReads = defineRoute({
  method: 'GET',
  path: '/blade-noticeRead/noticeread/list',
  access: { staff: 'noticeread_view' },
  input: strict({ ...pageInput, ...countInput, ...noticeReadFilter }),
  output: cappedPageOf(noticeReadRow),
  tx: 'read',
})
const noticeReadOne = defineRoute({
  method: 'GET',
  path: '/blade-noticeRead/noticeread/detail',
  access: { staff: 'noticeread_view' },
  input: strict({ id: id() }),
  output: noticeReadRow,
})
const exportNoticeReads = defineRoute({
  method: 'GET',
  path: '/blade-noticeRead/noticeread/export',
  access: { staff: 'noticeread_export' },
  input: strict(noticeReadFilter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})
const remindNotice = defineRoute({
  method: 'POST',
  path: '/blade-noticeRead/noticeread/remind',
  access: { staff: 'noticeread_remind' },
  input: strict({ noticeId: id() }),
  output: Type.Object({ people: I }),
  means: 'reminds everybody who has not read a notice, or not confirmed one that must be; once a day',
})
const notifyReadFilter = {
  notifyId: optional(id()),
  userId: optional(id()),
  examId: optional(id()),
  kind: optional(named({ zh: '消息类别', en: 'Kind of message' }, int(1, 7))),
  needSure: optional(flag()),
  state: readFilter,
  keyword,
}
const notifyReadRow = Type.Object({
  id: S,
  notifyId: S,
  examId: nullable(S),
  kind: I,
  title: S,
  needSure: B,
  ...person,
  createTime: S,
  readTime: nullable(S),
  sureTime: nullable(S),
})
const notifyReads = defineRoute({
  method: 'GET',
  path: '/blade-notifyRead/notifyread/list',
  access: { staff: 'notifyread_view' },
  input: strict({ ...pageInput, ...countInput, ...notifyReadFilter }),
  output: cappedPageOf(notifyReadRow),
  tx: 'read',
})
const notifyReadOne = defineRoute({
  method: 'GET',
  path: '/blade-notifyRead/notifyread/detail',
  access: { staff: 'notifyread_view' },
  input: strict({ id: id() }),
  output: notifyReadRow,
})
const exportNotifyReads = defineRoute({
  method: 'GET',
  path: '/blade-notifyRead/notifyread/export',
  access: { staff: 'notifyread_export' },
  input: strict(notifyReadFilter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})
const remindNotify = defineRoute({
  method: 'POST',
  path: '/blade-notifyRead/notifyread/remind',
  access: { staff: 'notifyread_remind' },
  input: strict({ ids: ids() }),
  several: { because: 'it reminds those who have not read any of them' },
  output: Type.Object({ people: I }),
  means: 'reminds the addressees of messages that they have not read, or not confirmed; each once a day',
})
/** Who has read what is written by reading alone; the wire's generic writes exist and decline (2001). */
const declined = <const P extends string>(path: P, right: 'noticeread_view' | 'notifyread_view') =>
  defineRoute({ method: 'POST', path, access: { staff: right }, input: Type.Object({}), output: Type.Null(), tx: 'own' })
const submitNoticeRead = declined('/blade-noticeRead/noticeread/submit', 'noticeread_view')
const removeNoticeRead = declined('/blade-noticeRead/noticeread/remove', 'noticeread_view')
const submitNotifyRead = declined('/blade-notifyRead/notifyread/submit', 'notifyread_view')
const removeNotifyRead = declined('/blade-notifyRead/notifyread/remove', 'notifyread_view')

export const newsCalls = {
  ...{ getNoticeList, getNoticeInfo, getIndexNotice, readNotice, sureNotify, ownNotices },
  ...{ newsList, newsInfo, readPicture, readNoticeFile },
  ...{ getNoticeFiles, moveNotice, putOnTop, previewText, makePublicity, moveNews },
  ...{ noticeReads, noticeReadOne, exportNoticeReads, remindNotice, submitNoticeRead, removeNoticeRead },
  ...{ notifyReads, notifyReadOne, exportNotifyReads, remindNotify, submitNotifyRead, removeNotifyRead },
} as const
export const newsRoutes = Object.values(newsCalls)
