import { toWireDay } from '#contract/kernel/when.ts'
import { noTitle } from '#contract/signup/conditions.ts'
import { answersOfFacts, askedBeside, elsewhere, type Facts, fitGroups, type MoreFact, placesIn } from '#contract/signup/fit.ts'
import { escapeHtml, type PublicCall } from '#kernel/http/public-page.ts'
import { inOrderOf } from '../domain/post-view.ts'
import type { OpenExam } from './board.ts'
import { countFits, filterPosts, fitAll } from './fit-posts.ts'
import { type Html, own, type Voice } from './frame.ts'
import { postCard } from './post-view.ts'
import type { Word } from './words.ts'

type Form = PublicCall['form']

interface Sent {
  readonly facts: Facts
  /** Fields that cannot be read, with the text that says how to mend them. */
  readonly wrong: Readonly<Partial<Record<'birthday' | 'graduateDate', Word>>>
}

/** 1998-6-30, 1998/06/30, 1998年6月30日 and 19980630 are one day; undefined for a day that does not exist. */
const dayOf = (typed: string): string | undefined => {
  const text = typed.normalize('NFKC').trim()
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? /^(\d{4})\D+(\d{1,2})\D+(\d{1,2})\D*$/.exec(text)
  if (!match) return undefined
  const [, year = '', month = '', day = ''] = match
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${iso}T00:00:00Z`)
  // A date that was typed into the boxes of a browser in another order has a year such as 0015.
  return year < '1900' || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso ? undefined : iso
}

const first = (form: Form, name: string): string => (form[name]?.[0] ?? '').trim().slice(0, 60)

/** What the form says; a box that is not ticked says no, a field that is empty says nothing. */
export const readSent = (form: Form, open: OpenExam, now: Date): Sent => {
  const known = (code: string, key: string) => open.dictionary.entries(code).some(entry => entry.key === key)
  const [born, graduated] = [first(form, 'birthday'), first(form, 'graduateDate')]
  const [birthday, graduateDate] = [dayOf(born), dayOf(graduated)]
  const isBornWrong = born !== '' && (birthday === undefined || birthday > toWireDay(now))
  const [education, degree, sex, major] = ['education', 'degree', 'sex', 'major'].map(name => first(form, name))
  const [political = '', title = '', years = '', place = ''] = ['political', 'title', 'workYears', 'hukouAddress'].map(name =>
    first(form, name),
  )
  const certs = open.dictionary.entries('cert').map(entry => entry.key)
  const ticked = (form['certName'] ?? []).filter(one => certs.includes(one) || certsOf(open).includes(one))
  const isNone = form['certNone'] !== undefined
  return {
    facts: {
      ...(birthday && !isBornWrong ? { birthday } : {}),
      ...(sex === '1' || sex === '2' ? { sex } : {}),
      ...(education && known('education', education) ? { education } : {}),
      ...(degree && known('degree', degree) ? { degree } : {}),
      ...(major ? { major } : {}),
      ...(graduateDate ? { graduateDate, employed: form['employed'] ? '1' : '0' } : {}),
      ...(form['residency'] ? { residency: '1' } : {}),
      ...(form['insured'] ? { insured: '1' } : {}),
      ...(political && known('political', political) ? { political } : {}),
      ...(title === noTitle || known('title', title) ? { title } : {}),
      ...(/^\d{1,2}$/.test(years) ? { workYears: years } : {}),
      ...(place === elsewhere || placesIn(open.posts).includes(place) ? { hukouAddress: place } : {}),
      ...(ticked.length > 0 || isNone ? { certName: ticked } : {}),
    },
    wrong: {
      ...(isBornWrong ? { birthday: 'wrongDate' as const } : {}),
      ...(graduated !== '' && graduateDate === undefined ? { graduateDate: 'wrongDay' as const } : {}),
    },
  }
}

/** Licences that some post of this examination asks for. */
const certsOf = ({ posts }: OpenExam): readonly string[] => [...new Set(posts.flatMap(post => post.cert))]

type Entry = ReturnType<OpenExam['dictionary']['entries']>[number]
const optionsOf = (voice: Voice, entries: readonly Entry[], chosen: string): Html =>
  [
    `<option value="">${voice.t('unsaid')}</option>`,
    ...entries.map(
      ({ key, label }) => `<option value="${escapeHtml(key)}"${key === chosen ? ' selected' : ''}>${escapeHtml(voice.say(label))}</option>`,
    ),
  ].join('')
const options = (voice: Voice, open: OpenExam, code: string, chosen: string): Html =>
  optionsOf(voice, open.dictionary.entries(code), chosen)

/** Questions that few posts need, folded away; none where no post does. */
const moreQuestions = (voice: Voice, open: OpenExam, form: Form, tick: (name: string, value: string, text: Html) => Html): Html => {
  const { t } = voice
  const { dictionary } = open
  const select = (name: 'political' | 'title' | 'hukouAddress', entries: readonly Entry[]) =>
    `<label for="${name}">${t(name)}</label><select id="${name}" name="${name}">${optionsOf(voice, entries, first(form, name))}</select>`
  const places = [...placesIn(open.posts), elsewhere]
  const fields: Readonly<Record<MoreFact, () => Html>> = {
    residency: () => tick('residency', '1', t('residency')),
    insured: () => tick('insured', '1', t('insured')),
    political: () => select('political', dictionary.entries('political')),
    hukouAddress: () =>
      select(
        'hukouAddress',
        places.map(key => ({ key, label: dictionary.labelOf('region', key) ?? { zh: key, en: key } })),
      ),
    title: () => select('title', [{ key: noTitle, label: { zh: '无', en: 'None' } }, ...dictionary.entries('title')]),
    workYears: () =>
      `<label for="workYears">${t('workYears')}</label><input type="text" inputmode="numeric" pattern="\\d{1,2}" maxlength="2" id="workYears" name="workYears" value="${escapeHtml(first(form, 'workYears'))}">`,
  }
  const asked = askedBeside(open.posts, open.exam)
  return asked.length === 0
    ? ''
    : `<details${asked.some(name => first(form, name) !== '') ? ' open' : ''} data-more><summary>${t('more')}</summary><p class="soft small">${t('moreHint')}</p>${asked.map(name => fields[name]()).join('')}</details>`
}

const wrongList = ({ t }: Voice, { wrong }: Sent): Html => {
  const lines = Object.entries(wrong)
  return lines.length === 0
    ? ''
    : `<div class="wrong" role="alert" tabindex="-1"><h2>${t('wrongTitle')}</h2><ul>${lines
        .map(([name, word]) => `<li><a href="#${name}">${t(name as Word)}${'：'}${t(word)}</a></li>`)
        .join('')}</ul></div>`
}

/** The five questions on one page; they work without a script, which only remembers the answers. */
export const questions = (voice: Voice, open: OpenExam, form: Form, sent: Sent | undefined): Html => {
  const { t, to, say } = voice
  const { labelOf } = open.dictionary
  const bad = (name: 'birthday' | 'graduateDate') => (sent?.wrong[name] ? `<p class="bad" id="${name}-bad">${t(sent.wrong[name])}</p>` : '')
  const described = (name: 'birthday' | 'graduateDate') => (sent?.wrong[name] ? ` aria-invalid="true" aria-describedby="${name}-bad"` : '')
  const date = (name: 'birthday' | 'graduateDate') =>
    `<label for="${name}">${t(name)}</label>${bad(name)}<input type="${sent?.wrong[name] ? 'text' : 'date'}" id="${name}" name="${name}" value="${escapeHtml(first(form, name))}"${described(name)}>`
  const tick = (name: string, value: string, text: Html, type = 'checkbox') =>
    `<label class="tick"><input type="${type}" name="${name}" value="${escapeHtml(value)}"${form[name]?.includes(value) ? ' checked' : ''}> ${text}</label>`
  const certs = certsOf(open)
  return `${sent ? wrongList(voice, sent) : ''}<form method="post" action="${to(`/open/${open.exam.id}/fit`)}" data-facts${sent ? ' data-sent' : ''} class="card" novalidate>
<fieldset><legend>${t('q1')}</legend>${date('birthday')}<div class="row" role="radiogroup" aria-label="${t('sex')}">${tick('sex', '1', t('male'), 'radio')}${tick('sex', '2', t('female'), 'radio')}${tick('sex', '', t('unsaid'), 'radio')}</div></fieldset>
<fieldset><legend>${t('q2')}</legend><label for="education">${t('education')}</label><select id="education" name="education">${options(voice, open, 'education', first(form, 'education'))}</select><label for="degree">${t('degree')}</label><select id="degree" name="degree">${options(voice, open, 'degree', first(form, 'degree'))}</select></fieldset>
<fieldset><legend>${t('q3')}</legend><label for="major">${t('major')}</label><input type="text" id="major" name="major" maxlength="60" value="${escapeHtml(first(form, 'major'))}" aria-describedby="major-hint"><p class="soft small" id="major-hint">${t('majorHint')}</p></fieldset>
<fieldset><legend>${t('q4')}</legend>${date('graduateDate')}${open.exam.freshEndsBy === 0 ? '' : tick('employed', '1', t('employed'))}</fieldset>
${
  certs.length === 0
    ? ''
    : `<fieldset><legend>${t('q5')}</legend>${certs.map(cert => tick('certName', cert, escapeHtml(say(labelOf('cert', cert) ?? { zh: cert, en: cert })))).join('')}${tick('certNone', '1', t('certNone'))}</fieldset>`
}
${moreQuestions(voice, open, form, tick)}<button class="go">${t('fitSend')}</button><p class="soft small">${t('fitKept')} <button type="button" class="go second" data-wipe hidden>${t('wipe')}</button></p></form>`
}

/** Units in the order of the posts, categories in that of their dictionary. */
const unitsOf = ({ posts, dictionary }: OpenExam, pick: 'unit' | 'type'): readonly (readonly [string, string])[] => {
  const found = [...new Map(posts.map(post => [post[pick], pick === 'unit' ? post.unitName : post.typeName] as const))]
  return pick === 'unit' ? found : inOrderOf(dictionary, 'post_type', found, ([key]) => key)
}

/** Search and filters; they fold away where they are not used. */
export const filterFields = (voice: Voice, open: OpenExam, values: Readonly<Record<'q' | 'unit' | 'type', string>>): Html => {
  const { t } = voice
  const select = (name: 'unit' | 'type') =>
    `<label for="${name}">${t(name)}</label><select id="${name}" name="${name}"><option value="">${t('all')}</option>${unitsOf(open, name)
      .map(([key, text]) => `<option value="${escapeHtml(key)}"${key === values[name] ? ' selected' : ''}>${escapeHtml(text)}</option>`)
      .join('')}</select>`
  return `<label for="q">${t('postsSearch')}</label><input type="search" id="q" name="q" maxlength="60" enterkeyhint="search" value="${escapeHtml(values.q)}"><details${values.unit || values.type ? ' open' : ''}><summary>${t('narrow')}</summary>${select('unit')}${select('type')}</details><div class="row"><button class="go second">${t('search')}</button></div>`
}

export const filterIn = (of: (name: string) => string) => ({ q: of('q'), unit: of('unit'), type: of('type') })

/** More cards than this in one group make a page that a phone is slow with; the counts stay honest. */
const mostCards = 60

/** What somebody can apply for, what a person decides on, and what not and why. */
export const fitResult = (voice: Voice, open: OpenExam, form: Form, { facts }: Sent, now: Date): Html => {
  const { t, to } = voice
  const { exam } = open
  const filter = filterIn(name => first(form, name))
  const answers = answersOfFacts(facts)
  const all = fitAll(open, filterPosts(open, { keyword: filter.q, unit: filter.unit, type: filter.type }), answers, now)
  const counts = countFits(all)
  const hidden = Object.entries(form)
    .filter(([name]) => !['q', 'unit', 'type'].includes(name))
    .flatMap(([name, values]) =>
      values.map(value => `<input type="hidden" name="${escapeHtml(name.slice(0, 20))}" value="${escapeHtml(value.slice(0, 60))}">`),
    )
    .join('')
  const group = (name: (typeof fitGroups)[number]): Html => {
    const rows = all.filter(({ fit }) => fit.group === name)
    const cards = rows.slice(0, mostCards).map(row => postCard(voice, open, row.post, now, row))
    const some = rows.length > cards.length ? `<p>${t('shownOf', { shown: cards.length, total: rows.length })}</p>` : ''
    const hint = `<p class="soft">${t(`${name}Hint`)}${name === 'cannot' && rows.some(({ fit }) => fit.mayInsist) ? ` ${t('insistHint')}` : ''}</p>`
    const body = rows.length === 0 ? '' : `${hint}<ul style="list-style:none;padding:0">${cards.join('')}</ul>${some}`
    const isOpen = name === 'can' || (name === 'person' && counts.can === 0)
    return `<details id="${name}"${isOpen ? ' open' : ''}><summary><span class="${name}">${t(name)}</span> ${rows.length}</summary>${body}</details>`
  }
  return `<div role="status"><ul class="counts">${fitGroups
    .map(name => `<li><a href="#${name}" class="${name}"><strong>${counts[name]}</strong>${t(name)}</a></li>`)
    .join('')}</ul></div>
<div class="row"><a class="go second" href="${to(`/open/${exam.id}/fit`)}">${t('fitAgain')}</a></div>
<details class="card"${filter.q || filter.unit || filter.type ? ' open' : ''}><summary>${t('search')}</summary><form method="post" action="${to(`/open/${exam.id}/fit`)}" role="search">${hidden}${filterFields(voice, open, filter)}</form></details>
${all.length === 0 ? `<p>${t('none')}</p>` : fitGroups.map(group).join('')}
<p class="soft small">${t('fitKept')} <button type="button" class="go second" data-wipe hidden>${t('wipe')}</button></p>`
}

export const fitHeading = (voice: Voice, { exam }: OpenExam): Html =>
  `<p><a href="${voice.to(`/open/${exam.id}`)}">${own(voice, exam.examName)}</a></p><h1>${voice.t('fitTitle')}</h1>`
