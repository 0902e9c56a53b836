import { feeOfPost } from '#contract/pay/fee.ts'
import { conditionLabels, isUnsaid } from '#contract/signup/conditions.ts'
import { type FitGroup, reasonsOf } from '#contract/signup/fit.ts'
import { escapeHtml } from '#kernel/http/public-page.ts'
import { presentPost } from '../commands/present-post.ts'
import type { SearchedPost } from '../data/post.repo.ts'
import type { OpenExam } from './board.ts'
import { countsShown, type FittedPost } from './fit-posts.ts'
import { type Html, own, type Voice } from './frame.ts'
import type { Word } from './words.ts'

export const factList = (rows: readonly (readonly [name: Html, value: Html])[]): Html =>
  `<dl>${rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
    .join('')}</dl>`

/** Every condition of a post, in the order in which announcements have them; what is not asked for is said to be free. */
export const conditionsOf = ({ say }: Voice, open: OpenExam, post: SearchedPost): readonly (readonly [Word, string])[] => {
  const shown = presentPost(say, open.exam, post, open.dictionary.labelOf, null)
  const day = (from: string | null, to: string | null) => [from, to].filter(Boolean).join(' – ')
  const bounds = post.bornFrom || post.bornTo ? day(post.bornFrom, post.bornTo) : ''
  const age = shown.ageText ?? ''
  const rows: readonly (readonly [Word, string])[] = [
    ['age', [age, bounds && !age.includes(post.bornFrom ?? ' ') ? bounds : ''].filter(Boolean).join(' · ')],
    ['sex', shown.sexText],
    ['education', shown.educationText],
    ['degree', shown.degreeText],
    ['major', shown.majorText],
    ['fresh', shown.freshText],
    ['political', shown.politicalText],
    ['hukou', shown.hukouText],
    ['cert', shown.certText],
    ['title', shown.titleText],
    ['years', shown.workYearsText],
    ['others', shown.otherText ?? ''],
    ['level', shown.postLevel ?? ''],
    ['dept', shown.competentDept ?? ''],
    ['remark', shown.remark ?? ''],
  ]
  return rows.filter(([, text]) => text !== '')
}
export const conditionRows = (voice: Voice, open: OpenExam, post: SearchedPost): readonly (readonly [Html, Html])[] =>
  conditionsOf(voice, open, post).map(([word, text]) => [voice.t(word), escapeHtml(text)])

const stateWord = (post: SearchedPost): Word | undefined =>
  post.postState === 2
    ? 'cancelled'
    : post.postState === 4
      ? 'paused'
      : post.maxSign > 0 && post.usedSign >= post.maxSign
        ? 'full'
        : undefined

export const postPath = (examId: string, code: string): string => `/open/${examId}/posts/${encodeURIComponent(code)}`

/** Fee, places and how many have applied. */
export const postFigures = (voice: Voice, open: OpenExam, post: SearchedPost, now: Date): Html => {
  const { t, say } = voice
  const counts = countsShown(open, post.code, now)
  const state = stateWord(post)
  return [
    t('places', { count: post.curNum }),
    counts ? t('signed', { count: counts.signCount }) : '',
    `${t('fee')} ${escapeHtml(say(feeOfPost(open.exam, post)))}`,
    state ? `<strong class="cannot">${t(state)}</strong>` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Why, for each condition that is not simply met. */
const reasons = (voice: Voice, { fit }: FittedPost): Html => {
  const { t, say } = voice
  const lines = [
    ...(fit.bar === undefined ? [] : [t(fit.bar)]),
    ...reasonsOf(fit.group, fit.checks).map(
      check =>
        `<strong>${escapeHtml(say(conditionLabels[check.rule]))}</strong>${voice.language === 'zh' ? '：' : ': '}${isUnsaid(check) ? t('unsaidReason', { need: say(check.need) }) : t('reason', { need: say(check.need), got: say(check.got) })}`,
    ),
  ]
  return lines.length === 0 ? '' : `<ul class="told ${fit.group}">${lines.map(line => `<li>${line}</li>`).join('')}</ul>`
}

export const signUpPath = (examId: string): string => `/signup/form/${examId}`
const applyWord = (group: FitGroup, mayInsist: boolean): Word | undefined =>
  group === 'cannot' ? (mayInsist ? 'applyPerson' : undefined) : 'apply'

/** A post in a list: conditions and fee are on the card. */
export const postCard = (voice: Voice, open: OpenExam, post: SearchedPost, now: Date, fitted?: FittedPost): Html => {
  const { t, to } = voice
  const { exam } = open
  const isTaken = stateWord(post) !== undefined
  const word = fitted ? applyWord(fitted.fit.group, fitted.fit.mayInsist) : isTaken ? undefined : 'apply'
  const isOpen = exam.signEnd !== null && now < exam.signEnd && exam.state === 'released'
  return `<li class="card"><h3><a href="${to(postPath(exam.id, post.code))}">${own(voice, post.codeName)}</a> <span class="soft small">${escapeHtml(post.code)}</span></h3>
<p class="soft">${own(voice, `${post.unitName} · ${post.typeName}`)}</p><p>${postFigures(voice, open, post, now)}</p>${fitted ? reasons(voice, fitted) : ''}
<details><summary>${t('conditions')}</summary>${factList(conditionRows(voice, open, post))}</details>${
    isOpen && word
      ? `<a class="go second" href="${to(signUpPath(exam.id), { post: post.code })}" aria-label="${t(word)} ${escapeHtml(post.codeName)}">${t(word)}</a>`
      : ''
  }</li>`
}
