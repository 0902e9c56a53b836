import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Label, Language } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { escapeHtml } from '#kernel/http/public-page.ts'
import { accessibilityLines } from './accessibility.ts'
import { type Clause, standards } from './clause.ts'
import { activities, type DataKind, dataKinds } from './personal-data.ts'
import { probes } from './probes.ts'
import type { Cell, LiveTest, Reading, Sample, Setting, Verdict } from './reading.ts'

/** What was read for one clause. */
export interface ClauseEvidence {
  readonly clause: Clause
  /** By the probe's id; a probe that broke has a test that says so. */
  readonly readings: readonly { readonly id: keyof typeof probes; readonly reading: Reading }[]
  /** `gap`: no program can show it, or the product does not have it. */
  readonly verdict: Verdict | 'gap'
}
export interface Retention {
  readonly job: string
  readonly what: Label
  readonly after: Label
  readonly since: Label
}
export interface Evidence {
  readonly madeAt: Date
  readonly version: string
  readonly installation: string
  readonly clauses: readonly ClauseEvidence[]
  readonly retention: readonly Retention[]
  readonly certificates: Sample | undefined
  /** Values in the database by kind of data. */
  readonly counts: ReadonlyMap<string, number>
}

const words = {
  holds: { zh: '符合', en: 'holds' },
  fails: { zh: '不符合', en: 'fails' },
  unset: { zh: '未启用或此处无法验证', en: 'not switched on, or not to be seen from here' },
  gap: { zh: '差距，由组织措施补充', en: 'gap, covered by the organisation' },
} as const satisfies Readonly<Record<ClauseEvidence['verdict'], Label>>

const style = `body{font:14px/1.6 "Noto Sans SC","Microsoft YaHei",sans-serif;color:#1f2329;margin:2rem auto;max-width:60rem;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:1.6rem}table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{border:1px solid #8f959e;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#f2f3f5}.holds{color:#0a6b2b}.fails{color:#b3261e;font-weight:700}.unset,.gap{color:#7a4b00}a{color:#0b4fb3}
@media print{body{margin:0;max-width:none;font-size:11px}a{color:inherit;text-decoration:none}tr{break-inside:avoid}h2{break-after:avoid}}`

/** Pages of one language. Values are escaped where they are put in. */
const pages = (language: Language) => {
  const say = (text: Label): string => escapeHtml(text[language])
  const cell = (value: Cell | Label): string =>
    value === null
      ? ''
      : typeof value === 'object'
        ? say(value)
        : typeof value === 'boolean'
          ? say(value ? { zh: '是', en: 'yes' } : { zh: '否', en: 'no' })
          : escapeHtml(String(value))
  const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
    `<table><thead><tr>${heads.map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
      .map(row => `<tr>${row.map(one => `<td>${one}</td>`).join('')}</tr>`)
      .join('')}</tbody></table>`
  const verdict = (of: ClauseEvidence['verdict']): string => `<span class="${of}">${say(words[of])}</span>`
  const heads = (...labels: readonly Label[]): string[] => labels.map(say)
  const page = (title: string, body: string): string =>
    `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head><body><h1>${title}</h1>${body}</body></html>\n`
  const settings = (rows: readonly Setting[]): string =>
    rows.length === 0
      ? ''
      : table(
          heads({ zh: '设置', en: 'Setting' }, { zh: '当前值', en: 'Value' }),
          rows.map(({ name, value }) => [say(name), cell(value)]),
        )
  const tests = (rows: readonly LiveTest[]): string =>
    table(
      heads({ zh: '现场测试', en: 'Live test' }, { zh: '应为', en: 'Expected' }, { zh: '实际', en: 'Seen' }, { zh: '结论', en: 'Verdict' }),
      rows.map(one => [say(one.what), escapeHtml(one.expected), escapeHtml(one.seen), verdict(one.verdict)]),
    )
  const sample = ({ title, columns, rows }: Sample): string =>
    `<h3>${say(title)}</h3>${
      rows.length === 0
        ? `<p>${say({ zh: '没有记录', en: 'No rows' })}</p>`
        : table(
            columns.map(escapeHtml),
            rows.map(row => row.map(cell)),
          )
    }`
  return { say, cell, table, verdict, heads, page, settings, tests, sample }
}

const fileName = (number: string): string => `${number.replace(/[^0-9A-Za-z.]+/g, '-').replace(/-+$/, '')}.html`

const clausePage = ({ clause, readings, verdict }: ClauseEvidence, language: Language): string => {
  const to = pages(language)
  const { say } = to
  const parts = readings.map(
    ({ id, reading }) =>
      `<h2>${say(probes[id].title)}</h2>${to.settings(reading.settings ?? [])}${to.tests(reading.tests ?? [])}${(reading.samples ?? []).map(to.sample).join('')}`,
  )
  const gap = clause.gap
    ? `<h2>${say({ zh: '差距与组织措施', en: 'Gap and what the organisation adds' })}</h2><p>${say(clause.gap)}</p>`
    : ''
  return to.page(
    `${escapeHtml(clause.number)} ${say(clause.title)}`,
    `<p>${say(standards[clause.standard].label)}</p><p><strong>${say({ zh: '要求', en: 'Demand' })}</strong> ${say(clause.asks)}</p><p><strong>${say({ zh: '结论', en: 'Verdict' })}</strong> ${to.verdict(verdict)}</p>${parts.join('')}${gap}`,
  )
}

/** How many of some clauses have evidence out of the machine, and how they ended. */
export const shareOf = (clauses: readonly ClauseEvidence[]) => {
  const count = (verdict: ClauseEvidence['verdict']): number => clauses.filter(one => one.verdict === verdict).length
  const all = clauses.length
  return {
    all,
    withEvidence: all - count('gap'),
    percent: all === 0 ? 0 : Math.round(((all - count('gap')) / all) * 100),
    holds: count('holds'),
    fails: count('fails'),
    unset: count('unset'),
    gap: count('gap'),
  }
}

const indexPage = (evidence: Evidence, language: Language): string => {
  const to = pages(language)
  const { say } = to
  const sections = (Object.keys(standards) as (keyof typeof standards)[]).map(standard => {
    const own = evidence.clauses.filter(one => one.clause.standard === standard)
    const share = shareOf(own)
    return `<h2>${say(standards[standard].label)}</h2><p>${say({
      zh: `${share.all} 条，其中 ${share.withEvidence} 条有机器证据（${share.percent} %）：符合 ${share.holds}，不符合 ${share.fails}，未启用或无法验证 ${share.unset}；差距 ${share.gap}`,
      en: `${share.all} clauses, ${share.withEvidence} with evidence out of the machine (${share.percent} %): ${share.holds} hold, ${share.fails} fail, ${share.unset} not switched on or not to be seen; ${share.gap} gaps`,
    })}</p>${to.table(
      to.heads({ zh: '条款', en: 'Clause' }, { zh: '要求', en: 'Demand' }, { zh: '结论', en: 'Verdict' }),
      own.map(one => [
        `<a href="${standards[standard].folder}/${fileName(one.clause.number)}">${escapeHtml(one.clause.number)} ${say(one.clause.title)}</a>`,
        say(one.clause.asks),
        to.verdict(one.verdict),
      ]),
    )}`
  })
  const papers: readonly (readonly [string, Label])[] = [
    ['3-personal-information/data-map.html', { zh: '个人信息数据地图', en: 'Map of personal data' }],
    ['3-personal-information/processing-record.html', { zh: '个人信息处理活动记录', en: 'Record of processing' }],
    ['3-personal-information/impact-assessment.html', { zh: '个人信息保护影响评估', en: 'Impact assessment' }],
    ['3-personal-information/retention.html', { zh: '保存期限与清除凭据', en: 'Retention and erase certificates' }],
    ['4-accessibility/statement.html', { zh: '无障碍声明', en: 'Accessibility statement' }],
  ]
  return to.page(
    say({ zh: '合规证据', en: 'Evidence of compliance' }),
    `<p>${say({ zh: '系统', en: 'System' })}: Kaopu ${escapeHtml(evidence.version)} · ${escapeHtml(evidence.installation)} · ${toWireTime(evidence.madeAt)} (Asia/Shanghai)</p><p>${say(
      {
        zh: '由正在运行的系统生成：设置取自当前配置，测试在生成时执行，样本取自数据库并已脱敏。条款要求为摘要，以标准原文为准；本文件不构成测评结论。',
        en: 'Made by the running system: settings are the present ones, tests ran when this was made, samples are from the database and masked. Demands are shortened; the text of the standard decides. This is no verdict of an assessor.',
      },
    )}</p>${sections.join('')}<h2>${say({ zh: '其他文件', en: 'Other papers' })}</h2><ul>${papers.map(([href, title]) => `<li><a href="${href}">${say(title)}</a></li>`).join('')}</ul>`,
  )
}

const dataMapPage = (evidence: Evidence, language: Language): string => {
  const to = pages(language)
  const row = (kind: DataKind): string[] => [
    to.say(kind.what),
    kind.class,
    to.say(kind.about),
    kind.columns.map(escapeHtml).join('<br>'),
    String(evidence.counts.get(kind.id) ?? 0),
    to.say(kind.purpose),
    to.say(kind.basis),
    to.say(kind.kept),
    to.say(kind.recipients),
  ]
  return to.page(
    to.say({ zh: '个人信息数据地图', en: 'Map of personal data' }),
    `<p>${to.say({ zh: '各字段在数据库中加密保存（C4、C3）；数量为当前值。', en: 'Fields are sealed in the database (C4, C3); counts are the present ones.' })}</p>${to.table(
      to.heads(
        { zh: '种类', en: 'Kind' },
        { zh: '级别', en: 'Class' },
        { zh: '主体', en: 'About' },
        { zh: '位置', en: 'Where' },
        { zh: '数量', en: 'Values' },
        { zh: '目的', en: 'Purpose' },
        { zh: '依据', en: 'Basis' },
        { zh: '期限', en: 'Kept' },
        { zh: '接收方', en: 'Recipients' },
      ),
      dataKinds.map(row),
    )}`,
  )
}

const kindsOf = (ids: readonly string[]): readonly DataKind[] => dataKinds.filter(({ id }) => ids.includes(id))

const processingPage = (_evidence: Evidence, language: Language): string => {
  const to = pages(language)
  return to.page(
    to.say({ zh: '个人信息处理活动记录', en: 'Record of processing' }),
    to.table(
      to.heads(
        { zh: '活动', en: 'Activity' },
        { zh: '个人信息', en: 'Data' },
        { zh: '目的', en: 'Purpose' },
        { zh: '处理人员', en: 'By whom' },
        { zh: '接收方', en: 'Recipients' },
        { zh: '保护措施', en: 'Measures' },
        { zh: '期限', en: 'Kept' },
      ),
      activities.map(({ name, data, who, measures }) => {
        const kinds = kindsOf(data)
        const each = (of: (kind: DataKind) => Label): string => [...new Set(kinds.map(kind => to.say(of(kind))))].join('<br>')
        return [
          to.say(name),
          each(({ what }) => what),
          each(({ purpose }) => purpose),
          to.say(who),
          each(({ recipients }) => recipients),
          to.say(measures),
          each(({ kept }) => kept),
        ]
      }),
    ),
  )
}

/** Whether an activity must be assessed: sensitive personal information takes part (PIPL art. 55). */
const isSensitive = (data: readonly string[]): boolean => kindsOf(data).some(kind => kind.class === 'C4')

const impactPage = (evidence: Evidence, language: Language): string => {
  const to = pages(language)
  return to.page(
    to.say({ zh: '个人信息保护影响评估', en: 'Impact assessment' }),
    `<p>${to.say({ zh: '按个人信息保护法第五十五、五十六条和 GB/T 39335：目的与方式是否合法正当必要、对个人权益的影响及风险、保护措施是否有效。敏感个人信息的活动必须评估。', en: 'By articles 55 and 56 of the Personal Information Protection Law and GB/T 39335: whether purpose and manner are lawful and necessary, what it means for people, whether the measures work.' })}</p>${to.table(
      to.heads(
        { zh: '活动', en: 'Activity' },
        { zh: '含敏感个人信息', en: 'Sensitive data' },
        { zh: '涉及数量', en: 'Values' },
        { zh: '合法性依据', en: 'Basis' },
        { zh: '风险与应对', en: 'Risk and answer' },
        { zh: '现有措施', en: 'Measures' },
        { zh: '评估结论（由责任人填写）', en: 'Conclusion (by the person responsible)' },
      ),
      activities.map(({ name, data, risk, measures }) => [
        to.say(name),
        to.cell(isSensitive(data)),
        String(data.reduce((sum, id) => sum + (evidence.counts.get(id) ?? 0), 0)),
        [...new Set(kindsOf(data).map(({ basis }) => to.say(basis)))].join('<br>'),
        to.say(risk),
        to.say(measures),
        '',
      ]),
    )}<p>${to.say({ zh: '自动判断不作出不利决定：不符合条件的提示附理由，考生可以坚持提交，由人工决定。', en: 'Nothing is decided against a person by a machine alone: a finding has its reason, the candidate may insist, and a person decides.' })}</p><p>${to.say({ zh: '评估人：________ 日期：________', en: 'Assessed by: ________ Date: ________' })}</p>`,
  )
}

const retentionPage = (evidence: Evidence, language: Language): string => {
  const to = pages(language)
  return to.page(
    to.say({ zh: '保存期限与清除凭据', en: 'Retention and erase certificates' }),
    `${to.table(
      to.heads(
        { zh: '内容', en: 'What' },
        { zh: '起算', en: 'Counted from' },
        { zh: '期限', en: 'Erased after' },
        { zh: '任务', en: 'Job' },
      ),
      evidence.retention.map(({ what, since, after, job }) => [to.say(what), to.say(since), to.say(after), escapeHtml(job)]),
    )}${evidence.certificates ? to.sample(evidence.certificates) : ''}`,
  )
}

const accessibilityPage = (_evidence: Evidence, language: Language): string => {
  const to = pages(language)
  return to.page(
    to.say({ zh: '无障碍声明', en: 'Accessibility statement' }),
    `${to.table(
      to.heads({ zh: '内容', en: 'What' }, { zh: '如何得知', en: 'How it is known' }),
      accessibilityLines.map(({ what, how }) => [to.say(what), to.say(how)]),
    )}<p>${to.say({ zh: '遇到障碍请联系招考单位公布的电话，可由工作人员代为办理。', en: 'Whoever meets a barrier calls the number of the announcement; staff can act in their place.' })}</p>`,
  )
}

const papersOf = [
  ['index.html', indexPage],
  ['3-personal-information/data-map.html', dataMapPage],
  ['3-personal-information/processing-record.html', processingPage],
  ['3-personal-information/impact-assessment.html', impactPage],
  ['3-personal-information/retention.html', retentionPage],
  ['4-accessibility/statement.html', accessibilityPage],
] as const

/**
 * Writes the folders an assessor asks for: a page for each clause, the papers on personal information, the accessibility statement, an index
 * and `summary.json`. A folder that is there is written over file by file.
 * @returns paths relative to the folder
 */
export const writeEvidence = async (folder: string, evidence: Evidence, language: Language): Promise<string[]> => {
  const files: (readonly [string, string])[] = [
    ...papersOf.map(([path, make]) => [path, make(evidence, language)] as const),
    ...evidence.clauses.map(
      one => [`${standards[one.clause.standard].folder}/${fileName(one.clause.number)}`, clausePage(one, language)] as const,
    ),
    [
      'summary.json',
      `${JSON.stringify(
        {
          madeAt: evidence.madeAt.toISOString(),
          version: evidence.version,
          installation: evidence.installation,
          standards: Object.fromEntries(
            (Object.keys(standards) as (keyof typeof standards)[]).map(standard => [
              standard,
              shareOf(evidence.clauses.filter(one => one.clause.standard === standard)),
            ]),
          ),
          clauses: evidence.clauses.map(({ clause, verdict, readings }) => ({
            standard: clause.standard,
            number: clause.number,
            verdict,
            tests: readings.flatMap(({ id, reading }) =>
              (reading.tests ?? []).map(({ what, expected, seen, verdict: of }) => ({
                probe: id,
                what: what[language],
                expected,
                seen,
                verdict: of,
              })),
            ),
          })),
        },
        null,
        2,
      )}\n`,
    ],
  ]
  for (const [path, text] of files) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return files.map(([path]) => path)
}
