import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { checkDocument } from '#contract/person/id-card.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { checkName } from '#contract/person/person-name.ts'
import { type ConditionCheck, evaluateConditions, freshOf, usualPolicy } from '#contract/signup/conditions.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import { regionName } from '#modules/reference/index.ts'
import { type GeneratedCandidate, generateCandidates } from '../generate/candidates.ts'
import { seedRandom } from '../generate/random.ts'
import type { DemoSources } from './sources.ts'

/** Key of a label, by dictionary; and label of a key. */
export interface Dictionaries {
  key(code: string, label: string): string | undefined
  label(code: string, key: string): { zh: string; en: string } | undefined
}

/** A made-up person with valid papers who has filled in the form for one post. */
export interface DemoPerson {
  readonly name: string
  readonly isRare: boolean
  readonly idCard: string
  readonly idCardType: string
  readonly phone: string
  readonly sex: 1 | 2
  readonly birthday: string
  readonly code: string
  readonly code2: string | null
  readonly adjust: boolean
  readonly region: { readonly province: string; readonly city: string; readonly area: string } | undefined
  /** Answers by item key, unsealed. */
  readonly content: Readonly<Record<string, unknown>>
  readonly checks: readonly ConditionCheck[]
}

const educationKeys: Readonly<Record<string, string>> = {
  博士研究生: '10',
  硕士研究生: '10',
  本科: '20',
  大专: '30',
  中专: '40',
  高中: '60',
  初中: '70',
}
const degreeKeys: Readonly<Record<string, string>> = { 博士: '1', 硕士: '2', 学士: '3', 无: '4' }
const workplaces = [
  '市第一人民医院',
  '县中医医院',
  '民营康复医院',
  '街道社区卫生服务中心',
  '连锁药店',
  '体检中心',
  '区疾病预防控制中心(编外)',
]

const contentOf = (
  made: GeneratedCandidate,
  facts: { name: string; idCard: string; idCardType: string; phone: string; sex: 1 | 2; birthday: string },
  post: PostInput,
  examYear: number,
  index: number,
  sources: DemoSources,
  dictionaries: Dictionaries,
): Record<string, unknown> => {
  const random = seedRandom(index * 7919 + 17)
  const region = sources.regionByNames.get(`${made.province}|${made.city}|${made.area}`)
  const graduated = Number(made.graduateDate.slice(0, 4))
  const isFresh = graduated >= examYear - 2 && (post.fresh === 1 || random.next() < 0.7)
  const fresh = freshOf(made.graduateDate, examYear, !isFresh)
  const startedWork = `${graduated}-${made.graduateDate.slice(5, 7) === '01' ? '03' : '08'}-01`
  const title = post.title?.min ?? (!isFresh && random.next() < 0.4 ? '初级(师)' : undefined)
  const hasRelative = random.next() < 0.03
  const address = `${made.province}${made.city}${made.area}${random.pick(['人民路', '解放街', '文昌路', '滨河路', '建设街'])}${random.int(1, 300)}号`
  return {
    name: facts.name,
    idCardType: facts.idCardType,
    idCard: facts.idCard,
    sex: String(facts.sex),
    birthday: facts.birthday,
    nation: dictionaries.key('nation', made.nation) ?? '01',
    political: dictionaries.key('political', made.political) ?? '13',
    phone: facts.phone,
    ...(region === undefined ? {} : { hukouAddress: region }),
    address,
    education: educationKeys[made.education] ?? '30',
    degree: degreeKeys[made.degree] ?? '4',
    educationType: '1',
    school: made.school,
    ...(sources.schoolCodeByName.has(made.school) ? { schoolCode: sources.schoolCodeByName.get(made.school) } : {}),
    major: made.major,
    ...(sources.majorCodeByName.get(made.major) ? { majorCode: sources.majorCodeByName.get(made.major) } : {}),
    graduateDate: made.graduateDate,
    ...(fresh === undefined ? {} : { fresh: String(fresh) }),
    certName: isFresh && random.next() < 0.6 ? [] : post.cert.slice(0, 1),
    ...(title === undefined ? {} : { title }),
    ...(isFresh ? {} : { workUnit: `某${random.pick(workplaces)}`, firstWorkDate: startedWork }),
    resume: [
      { begin: `${graduated - 4}-09`, end: made.graduateDate.slice(0, 7), unit: made.school, post: made.major },
      ...(isFresh ? [] : [{ begin: startedWork.slice(0, 7), unit: `某${random.pick(workplaces)}`, post: post.codeName }]),
    ],
    adjust: made.adjust === '是' ? '1' : '0',
    hasRelative: hasRelative ? '1' : '0',
    ...(hasRelative ? { relativeInfo: [{ name: `${facts.name.charAt(0)}某`, unit: post.unitName, relation: '表亲' }] } : {}),
  }
}

export interface PeopleWish {
  readonly count: number
  readonly seed: number
  /** Offset of the phone numbers, so that two groups share none. */
  readonly start: number
  readonly posts: readonly PostInput[]
  readonly examYear: number
  /** Day on which years of work are counted. */
  readonly onDay: string
  readonly today: string
}

/**
 * People whom the sign-up page would let submit: awkward ones among them as far as the form folds or flags them, nobody whose papers or
 * conditions refuse a submit, nobody twice.
 */
export const makePeople = (sources: DemoSources, dictionaries: Dictionaries, wish: PeopleWish): DemoPerson[] => {
  const posts = new Map(wish.posts.map(post => [post.code, post]))
  const people: DemoPerson[] = []
  const seen = new Set<string>()
  const wanted = sources.posts.filter(row => posts.has(row['岗位代码'] ?? ''))
  const generated = generateCandidates(
    { ...sources, posts: wanted },
    { count: wish.count * 2 + 40, seed: wish.seed, start: wish.start, home: '33', awkward: 0.08 },
  )
  for (const [index, made] of generated.entries()) {
    if (people.length === wish.count) break
    const post = posts.get(made.code)
    const name = checkName(made.name)
    const person = checkDocument(made.idCard, wish.today)
    const phone = checkMobile(made.phone)
    if (!post || !name.ok || !person.ok || !phone.ok || seen.has(person.idCard) || seen.has(phone.mobile)) continue
    const facts = {
      name: name.name,
      idCard: person.idCard,
      idCardType: person.type,
      phone: phone.mobile,
      sex: person.sex,
      birthday: person.birthday,
    }
    const content = contentOf(made, facts, post, wish.examYear, wish.start + index, sources, dictionaries)
    const area = content['hukouAddress'] as string | undefined
    const checks = evaluateConditions(post, content, {
      ...{ examYear: wish.examYear, onDay: wish.onDay, policy: usualPolicy },
      labelOf: dictionaries.label,
      placeName: code => ({ zh: regionName(code), en: regionName(code) }),
      ...(area ? { hukouRegion: area } : {}),
    })
    if (checks.some(check => check.result === 'no' && check.blocking)) continue
    seen.add(person.idCard).add(phone.mobile)
    people.push({
      ...facts,
      isRare: name.nameRare || name.needsReview,
      code: made.code,
      code2: posts.has(made.code2) && made.code2 !== made.code ? made.code2 : null,
      adjust: made.adjust === '是',
      region: area === undefined ? undefined : { province: `${area.slice(0, 2)}0000`, city: `${area.slice(0, 4)}00`, area },
      content,
      checks,
    })
  }
  if (people.length < wish.count) throw new Error(`only ${people.length} of ${wish.count} people could be made`)
  return people
}

/** Id card and phone as every table keeps them: sealed for their place, with the blind index and the mask. */
export const sealPerson = (
  cipher: FieldCipher,
  tenantId: string,
  table: 'account' | 'signup',
  rowId: string,
  person: Pick<DemoPerson, 'idCard' | 'phone'>,
) => ({
  phone_sealed: cipher.seal(tenantId, { table, column: 'phone_sealed', rowId }, person.phone),
  phone_index: cipher.blindIndex(tenantId, 'phone', person.phone),
  phone_mask: maskPhone(person.phone),
  id_card_sealed: cipher.seal(tenantId, { table, column: 'id_card_sealed', rowId }, person.idCard),
  id_card_index: cipher.blindIndex(tenantId, 'id-card', person.idCard),
  id_card_mask: maskIdCard(person.idCard),
})
