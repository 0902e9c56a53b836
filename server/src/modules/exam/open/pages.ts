import { commonQuestions } from '#contract/exam/common-questions.ts'
import { phaseLabels } from '#contract/exam/window.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { feeOfPost, feeTextOf } from '#contract/pay/fee.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { escapeHtml, type PublicAnswer, type PublicCall, type PublicPage } from '#kernel/http/public-page.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import { shareReads } from '#kernel/shared-reads.ts'
import { type Addresses, addressesOf, readSite } from '#modules/tenancy/index.ts'
import type { Services } from '#server/services.ts'
import type { ExamRow } from '../data/exam.repo.ts'
import type { SearchedPost } from '../data/post.repo.ts'
import { phaseOf } from '../domain/exam-view.ts'
import type { OpenExam, OpenExams } from './board.ts'
import { calendarOf, windowsShown } from './calendar.ts'
import { filterFields, filterIn, fitHeading, fitResult, questions, readSent } from './fit-page.ts'
import { filterPosts } from './fit-posts.ts'
import { type Html, own, pageOf, type Voice, voiceOf } from './frame.ts'
import { conditionRows, conditionsOf, factList, postCard, postFigures, postPath, signUpPath } from './post-view.ts'
import { glossary } from './words.ts'

/** An announcement about an examination. */
export interface OpenNotice {
  readonly id: string
  readonly title: string
  readonly releaseTime: Date
}
export interface OpenPagesDeps {
  readonly services: Services
  readonly open: OpenExams
  /** What is announced about an examination, the newest first. */
  readonly noticesOf: (tenantId: string, examId: string, now: Date) => Promise<readonly OpenNotice[]>
}

/** A shared address is opened by thousands within minutes: what they see may be this old. */
const maxAgeS = 60
const postsOnPage = 50
const fewPapers = 3
const isId = (text: string | undefined): text is string => text !== undefined && /^\d{1,18}$/.test(text)

const feeOf = ({ exam, posts }: OpenExam) => {
  const fees = posts.filter(post => post.postState !== 2).map(post => post.feeFen)
  return feeTextOf(exam, fees.length === 0 ? undefined : { minFeeFen: Math.min(...fees), maxFeeFen: Math.max(...fees) })
}

interface Around {
  readonly addresses: Addresses
  readonly siteTitle: string
}
/** What a page is made with. */
interface Here {
  readonly call: PublicCall
  readonly voice: Voice
  readonly open: OpenExam
  readonly now: Date
}

/** A day and its hour stay on one line of a narrow phone. */
const span = (begin: Date | null, end: Date | null): string =>
  [begin && toWireTime(begin).slice(0, 16), end && toEndMinute(end)]
    .filter(Boolean)
    .map(time => String(time).replace(' ', '\u00a0'))
    .join(' – ')

const isSigning = ({ exam }: OpenExam, now: Date): boolean =>
  exam.state === 'released' && exam.signBegin !== null && exam.signEnd !== null && now >= exam.signBegin && now < exam.signEnd

const sizeText = (kb: number): string => (kb >= 1024 ? `${Math.round((kb / 1024) * 10) / 10} MB` : `${kb} KB`)

const filesList = ({ voice, open }: Here): Html => {
  const { t, language } = voice
  if (open.files.length === 0) return `<p>${t('filesNone')}</p>`
  const name = (zh: string, en: string) => (language === 'en' && en ? escapeHtml(en) : own(voice, zh))
  return `<ul>${open.files
    .map(
      ({ fileLabel, fileLabelEn, required, accept, maxKb }) =>
        `<li>${name(fileLabel, fileLabelEn)}${language === 'zh' ? '（' : ' ('}${t(required ? 'must' : 'may')}${language === 'zh' ? '；' : '; '}${escapeHtml(accept.toUpperCase().replaceAll(',', ' / '))}${language === 'zh' ? '；' : '; '}${t('kb', { size: sizeText(maxKb) })}${language === 'zh' ? '）' : ')'}</li>`,
    )
    .join('')}</ul>`
}

const phaseTag = ({ voice, open, now }: Here): Html => {
  const phase = phaseOf(open.exam, open.papers, { hasReview: false, hasPublicity: false }, now.getTime())
  const until = isSigning(open, now) && open.exam.signEnd ? ` <strong data-until="${open.exam.signEnd.getTime()}"></strong>` : ''
  return `<span class="tag">${escapeHtml(voice.say(phaseLabels[phase]))}</span>${until}`
}

const signUp = ({ voice, open, now }: Here, post?: SearchedPost): Html => {
  const { t, to } = voice
  if (!isSigning(open, now) || post?.postState === 2 || post?.postState === 4) return ''
  return `<a class="go second" href="${to(signUpPath(open.exam.id), { post: post?.code })}">${t(post ? 'apply' : 'signButton')}</a>`
}

const examMain = (here: Here, notices: readonly OpenNotice[]): Html => {
  const { voice, open } = here
  const { t, to, say } = voice
  const { exam, posts, changes } = open
  const people = posts.reduce((sum, post) => sum + (post.postState === 2 ? 0 : post.curNum), 0)
  const phone = escapeHtml(exam.contactPhone)
  const shown = windowsShown(open)
  // Twelve papers of one morning would hide the ends that people must not miss.
  const isMany = open.papers.length > fewPapers
  const dates = shown.filter(({ key }) => !isMany || !key.startsWith('paper-'))
  const rows = shown.filter(({ key }) => isMany && key.startsWith('paper-'))
  const papers = isMany
    ? `<details><summary>${t('papers')}</summary>${factList(rows.map(({ name, begin, end }) => [escapeHtml(say(name)), escapeHtml(span(begin, end))] as const))}</details>`
    : ''
  return `<h1>${own(voice, exam.examName)}</h1><p>${phaseTag(here)}</p>
<div class="row"><a class="go" href="${to(`/open/${exam.id}/fit`)}">${t('fitButton')}</a>${signUp(here)}<a href="${to(`/open/${exam.id}/posts`)}">${t('postsButton')}</a></div><p class="soft small">${t('signHint')}</p>
<section class="card"><h2>${t('needTitle')}</h2><ul><li>${t('needTime')}</li><li>${t('needId')}</li></ul><h3>${t('filesTitle')}</h3>${filesList(here)}</section>
<section class="card"><h2>${t('factsTitle')}</h2>${factList([
    [t('plan'), t('plans', { posts: posts.length, people })],
    [t('fee'), escapeHtml(say(feeOf(open)))],
    [t('phone'), `<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>`],
    [t('organizer'), own(voice, exam.organizer)],
    [t('undertaker'), exam.undertaker ? own(voice, exam.undertaker) : ''],
  ])}</section>
<section class="card"><h2>${t('datesTitle')}</h2>${factList(
    dates.map(({ name, begin, end }) => [escapeHtml(say(name)), escapeHtml(span(begin, end))] as const),
  )}${papers}<p><a href="${to(`/open/${exam.id}/calendar.ics`)}">${t('calendar')}</a></p></section>
${exam.description ? `<section class="card"><h2>${t('rulesTitle')}</h2><div class="text" lang="zh-CN">${cleanRichText(exam.description, { pictures: true })}</div></section>` : ''}
${
  notices.length === 0
    ? ''
    : `<section class="card"><h2>${t('noticesTitle')}</h2><ul>${notices
        .map(
          ({ id, title, releaseTime }) =>
            `<li><a href="${to(`/notices/${id}`)}">${own(voice, title)}</a> <span class="soft small">${toWireTime(releaseTime).slice(0, 10)}</span></li>`,
        )
        .join('')}</ul></section>`
}
${
  changes.length === 0
    ? ''
    : `<details class="card"><summary>${t('changesTitle')} ${changes.length}</summary><ul>${changes
        .map(change => `<li><span class="soft small">${toWireTime(change.createdAt).slice(0, 16)}</span> ${escapeHtml(say(change))}</li>`)
        .join('')}</ul></details>`
}
<details class="card"><summary>${t('wordsTitle')}</summary>${factList(glossary.map(([term, meaning]) => [escapeHtml(say(term)), escapeHtml(say(meaning))] as const))}</details>
<p><a href="${to('/open/questions')}">${t('problems')}</a></p>`
}

const examData = ({ open, voice }: Here, url: string) => {
  const { exam } = open
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: exam.examName,
    url,
    description: descriptionOf(open, voice),
    ...(exam.signBegin ? { startDate: exam.signBegin.toISOString() } : {}),
    ...(open.papers.length > 0
      ? {
          endDate: open.papers
            .map(paper => paper.endTime.toISOString())
            .toSorted()
            .at(-1),
        }
      : {}),
    eventStatus: 'https://schema.org/EventScheduled',
    organizer: { '@type': 'Organization', name: exam.organizer, telephone: exam.contactPhone },
    inLanguage: 'zh-CN',
  }
}

const descriptionOf = (open: OpenExam, { plain, say }: Voice): string => {
  const { exam, posts } = open
  const people = posts.reduce((sum, post) => sum + (post.postState === 2 ? 0 : post.curNum), 0)
  const parts = [
    plain('plans', { posts: posts.length, people }),
    `${plain('sign')} ${span(exam.signBegin, exam.signEnd)}`,
    `${plain('fee')} ${say(feeOf(open))}`,
    `${plain('phone')} ${exam.contactPhone}`,
  ]
  return parts.join('；')
}

const postsMain = ({ call, voice, open, now }: Here): Html => {
  const { t, to } = voice
  const { exam } = open
  const filter = filterIn(name => (call.query[name] ?? '').slice(0, 60))
  const posts = filterPosts(open, { keyword: filter.q, unit: filter.unit, type: filter.type })
  const last = Math.max(1, Math.ceil(posts.length / postsOnPage))
  const page = Math.min(last, Math.max(1, Number.parseInt(call.query['page'] ?? '1', 10) || 1))
  const cards = posts.slice((page - 1) * postsOnPage, page * postsOnPage).map(post => postCard(voice, open, post, now))
  const turn = (to_: number, word: 'next' | 'previous') =>
    to_ < 1 || to_ > last
      ? ''
      : `<a class="go second" rel="${word === 'next' ? 'next' : 'prev'}" href="${to(`/open/${exam.id}/posts`, { ...filter, page: String(to_) })}">${t(word)}</a>`
  const kept = ['lang', 'tenantId']
    .flatMap(name => (call.query[name] ? [`<input type="hidden" name="${name}" value="${escapeHtml(call.query[name])}">`] : []))
    .join('')
  return `<p><a href="${to(`/open/${exam.id}`)}">${own(voice, exam.examName)}</a></p><h1>${t('postsTitle')}</h1>
<p><a class="go" href="${to(`/open/${exam.id}/fit`)}">${t('fitButton')}</a></p>
<form method="get" action="/open/${exam.id}/posts" role="search">${kept}${filterFields(voice, open, filter)}</form>
<p role="status">${t('found', { count: posts.length })}</p>${cards.length === 0 ? `<p>${t('none')}</p>` : `<ul style="list-style:none;padding:0">${cards.join('')}</ul>`}
<div class="row">${turn(page - 1, 'previous')}${turn(page + 1, 'next')}${last > 1 ? `<span class="soft">${page} / ${last}</span>` : ''}</div>`
}

const postMain = (here: Here, post: SearchedPost): Html => {
  const { voice, open, now } = here
  const { t, to } = voice
  const { exam } = open
  const phone = post.phone ? escapeHtml(post.phone) : ''
  return `<p><a href="${to(`/open/${exam.id}`)}">${own(voice, exam.examName)}</a></p><h1>${own(voice, post.codeName)} <span class="soft">${escapeHtml(post.code)}</span></h1>
<p>${own(voice, `${post.unitName} · ${post.typeName}`)}</p><p>${postFigures(voice, open, post, now)}</p>
<div class="row"><a class="go" href="${to(`/open/${exam.id}/fit`)}">${t('fitButton')}</a>${signUp(here, post)}</div>
<section class="card"><h2>${t('conditions')}</h2>${factList([
    ...conditionRows(voice, open, post),
    [t('fee'), escapeHtml(voice.say(feeOfPost(exam, post)))],
    [t('phone'), phone ? `<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>` : ''],
    [t('sign'), escapeHtml(span(exam.signBegin, exam.signEnd))],
  ])}</section><p><a href="${to(`/open/${exam.id}/posts`, { unit: post.unit })}">${own(voice, post.unitName)} · ${t('postsTitle')}</a></p>`
}

/** Pages about examinations that anybody may open, share and find: the server writes them whole (ADR 0185). */
export const openPages = ({ services, open: exams, noticesOf }: OpenPagesDeps): readonly PublicPage[] => {
  const { clock, scopes } = services
  const sites = shareReads(tenantId => scopes.tx(systemOf(tenantId), clock.now(), readSite), {
    ...{ clock, maxAgeMs: maxAgeS * 1_000, maxEntries: 1_000 },
  })
  const around = async (call: PublicCall): Promise<Around> => {
    const site = await sites.of(call.tenantId)
    return { addresses: addressesOf(services, site, call.tenantId), siteTitle: site.title }
  }
  const gone = async (call: PublicCall): Promise<PublicAnswer> => {
    const voice = voiceOf(call)
    const { t, plain, to } = voice
    const main = `<h1>${t('gone')}</h1><p>${t('goneHint')}</p><p><a href="${to('/open')}">${t('goneHome')}</a></p>`
    return pageOf(call, voice, {
      ...(await around(call)),
      title: plain('gone'),
      description: plain('goneHint'),
      path: '/open',
      main,
      status: 404,
    })
  }
  const ofExam = (work: (here: Here, site: Around) => Promise<PublicAnswer>) => async (call: PublicCall) => {
    const { examId } = call.params
    const found = isId(examId) ? await exams.of(call.tenantId, examId) : undefined
    return found ? work({ call, voice: voiceOf(call), open: found, now: clock.now() }, await around(call)) : gone(call)
  }
  return [
    {
      path: '/open',
      render: async call => {
        const voice = voiceOf(call)
        const { t, plain, to } = voice
        const listed = await exams.listed(call.tenantId)
        const now = clock.now()
        const stateOf = ({ signBegin, signEnd }: ExamRow) =>
          signEnd !== null && now >= signEnd ? 'signEnded' : signBegin !== null && now >= signBegin ? 'signRuns' : 'signAhead'
        const line = (exam: ExamRow) =>
          `<li class="card"><h2><a href="${to(`/open/${exam.id}`)}">${own(voice, exam.examName)}</a></h2><p><span class="tag">${t(stateOf(exam))}</span></p><p>${t('sign')} ${escapeHtml(span(exam.signBegin, exam.signEnd))}</p><p class="soft">${own(voice, exam.organizer)}</p></li>`
        const listOf = (exams: readonly ExamRow[]) => `<ul style="list-style:none;padding:0">${exams.map(line).join('')}</ul>`
        const ended = listed.filter(exam => stateOf(exam) === 'signEnded')
        const running = listed.filter(exam => stateOf(exam) !== 'signEnded')
        const main = `<h1>${t('listTitle')}</h1>${running.length === 0 ? `<p>${t('listNone')}</p>` : listOf(running)}${ended.length === 0 ? '' : `<h2>${t('listEnded')}</h2>${listOf(ended)}`}`
        const names = running.slice(0, 3).map(exam => exam.examName)
        return pageOf(call, voice, {
          ...(await around(call)),
          title: plain('listTitle'),
          description: names.join('；') || plain('listNone'),
          path: '/open',
          main,
          maxAgeS,
        })
      },
    },
    {
      path: '/open/questions',
      render: async call => {
        const voice = voiceOf(call)
        const { t, plain, say } = voice
        const list = commonQuestions.map(
          ({ q, a }) => `<details class="card"><summary>${escapeHtml(say(q))}</summary><p>${escapeHtml(say(a))}</p></details>`,
        )
        const data = {
          '@context': 'https://schema.org',
          '@type': 'FAQPage',
          mainEntity: commonQuestions.map(({ q, a }) => ({
            ...{ '@type': 'Question', name: say(q), acceptedAnswer: { '@type': 'Answer', text: say(a) } },
          })),
        }
        const main = `<h1>${t('problems')}</h1>${list.join('')}`
        const description = commonQuestions
          .slice(0, 4)
          .map(({ q }) => say(q))
          .join(' ')
        return pageOf(call, voice, {
          ...(await around(call)),
          ...{ title: plain('problems'), description, path: '/open/questions', main, data, maxAgeS },
        })
      },
    },
    {
      path: '/open/:examId',
      render: ofExam(async (here, { addresses, siteTitle }) => {
        const { call, voice, open, now } = here
        const path = `/open/${open.exam.id}`
        const notices = await noticesOf(call.tenantId, open.exam.id, now)
        const data = examData(here, addresses.of(path))
        return pageOf(call, voice, {
          ...{ addresses, siteTitle, path, data, maxAgeS },
          title: open.exam.examName,
          description: descriptionOf(open, voice),
          main: examMain(here, notices),
        })
      }),
    },
    {
      path: '/open/:examId/calendar.ics',
      render: ofExam(async ({ call, open }, { addresses }) => ({
        status: 200,
        type: 'text/calendar; charset=utf-8',
        html: calendarOf(open, call.language, addresses.of(`/open/${open.exam.id}`)),
        maxAgeS,
      })),
    },
    {
      path: '/open/:examId/posts',
      render: ofExam(async (here, { addresses, siteTitle }) => {
        const { call, voice, open } = here
        const title = `${voice.plain('postsTitle')} - ${open.exam.examName}`
        return pageOf(call, voice, {
          ...{ addresses, siteTitle, maxAgeS, title },
          description: descriptionOf(open, voice),
          path: `/open/${open.exam.id}/posts`,
          main: postsMain(here),
        })
      }),
    },
    {
      path: '/open/:examId/posts/:code',
      render: ofExam(async (here, { addresses, siteTitle }) => {
        const { call, voice, open } = here
        const post = open.posts.find(one => one.code === call.params['code'])
        if (!post) return gone(call)
        const path = postPath(open.exam.id, post.code)
        const rows = conditionsOf(voice, open, post)
        const description = `${post.unitName}；${voice.plain('places', { count: post.curNum })}；${rows
          .slice(0, 6)
          .map(([name, value]) => `${voice.plain(name)} ${value}`)
          .join('；')}`
        const data = {
          '@context': 'https://schema.org',
          '@type': 'JobPosting',
          title: post.codeName,
          description,
          url: addresses.of(path),
          totalJobOpenings: post.curNum,
          identifier: { '@type': 'PropertyValue', name: open.exam.examCode, value: post.code },
          hiringOrganization: { '@type': 'Organization', name: post.unitName },
          ...(open.exam.releaseAt ? { datePosted: open.exam.releaseAt.toISOString() } : {}),
          ...(open.exam.signEnd ? { validThrough: open.exam.signEnd.toISOString() } : {}),
        }
        const title = `${post.codeName} ${post.code} - ${post.unitName}`
        return pageOf(call, voice, { ...{ addresses, siteTitle, path, data, maxAgeS, title, description }, main: postMain(here, post) })
      }),
    },
    {
      path: '/open/:examId/fit',
      render: ofExam(async ({ call, voice, open }, { addresses, siteTitle }) => {
        const main = `${fitHeading(voice, open)}<p>${voice.t('fitLead')}</p>${questions(voice, open, {}, undefined)}`
        const title = `${voice.plain('fitTitle')} - ${open.exam.examName}`
        return pageOf(call, voice, {
          ...{ addresses, siteTitle, maxAgeS, title, main },
          description: voice.plain('fitLead'),
          path: `/open/${open.exam.id}/fit`,
        })
      }),
    },
    {
      path: '/open/:examId/fit',
      method: 'POST',
      render: ofExam(async ({ call, voice, open, now }, { addresses, siteTitle }) => {
        const sent = readSent(call.form, open, now)
        const isWrong = Object.keys(sent.wrong).length > 0
        const body = isWrong ? questions(voice, open, call.form, sent) : fitResult(voice, open, call.form, sent, now)
        const title = `${isWrong ? `${voice.plain('wrongTitle')}：` : ''}${voice.plain('fitTitle')} - ${open.exam.examName}`
        return pageOf(call, voice, {
          ...{ addresses, siteTitle, title },
          description: voice.plain('fitLead'),
          path: `/open/${open.exam.id}/fit`,
          main: `${fitHeading(voice, open)}${body}`,
        })
      }),
    },
  ]
}

/** Their addresses, for the list that search engines read. */
export const openAddresses = async (
  exams: OpenExams,
  tenantId: string,
): Promise<readonly { readonly path: string; readonly changedAt: Date }[]> => {
  const listed = await exams.listed(tenantId)
  const found = await Promise.all(listed.map(exam => exams.of(tenantId, exam.id)))
  return [
    { path: '/open', changedAt: listed.map(exam => exam.updatedAt).toSorted((a, b) => b.getTime() - a.getTime())[0] ?? new Date(0) },
    ...found.flatMap(open =>
      open === undefined
        ? []
        : [
            { path: `/open/${open.exam.id}`, changedAt: open.exam.updatedAt },
            { path: `/open/${open.exam.id}/posts`, changedAt: open.exam.updatedAt },
            ...open.posts.map(post => ({ path: postPath(open.exam.id, post.code), changedAt: post.updatedAt })),
          ],
    ),
  ]
}
