import { useState } from 'react'
import { rootOfProof } from '#contract/kernel/inclusion-proof.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { Card } from '../kit/card.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'

const proofTexts = defineTexts(
  {
    title: '成绩核验',
    lead: '每次发布或更正成绩，都会公布一个由全部成绩算出的核验值；私下改动任何一个成绩都会对不上。您可以核验自己的成绩在最近一次公布的核验值中。',
    check: '核验我的成绩',
    good: '核验通过：您看到的成绩包含在第 {no} 次公布的核验值中。',
    bad: '核验不通过：您的成绩与公布的核验值对不上，请联系考务并保存核验文件。',
    cannot: '这个浏览器无法在本机核验，请下载核验文件和核验页面。',
    root: '公布的核验值',
    published: '{time} 公布，共 {count} 人',
    cause: '原因：{cause}',
    'cause.release': '成绩发布',
    'cause.correction': '成绩更正',
    'cause.withdrawal': '撤回发布',
    file: '下载核验文件',
    page: '下载核验页面（可断网使用）',
    all: '历次公布的核验值',
    draws: '考场编排抽签',
    drawCommit: '抽签前公布的摘要',
    drawReveal: '抽签后公布的种子',
    drawLater: '准考证发布后公布',
    plan: '第 {version} 版编排（{count} 人，{time}）的记录摘要',
  },
  {
    title: 'Check your result',
    lead: 'With each release and each correction a check value (the “root”) is published that is worked out from all scores: whoever changes one in secret no longer gets it. You can check that yours are part of the newest.',
    check: 'Check my scores',
    good: 'They are: the scores you see are part of root {no}.',
    bad: 'They are not: your scores do not lead to the published root. Keep the file and contact the office.',
    cannot: 'This browser cannot check by itself. Download the file and the page that checks it.',
    root: 'Published root',
    published: 'Published {time}, {count} people',
    cause: 'Why: {cause}',
    'cause.release': 'release',
    'cause.correction': 'correction',
    'cause.withdrawal': 'withdrawal',
    file: 'Download the file',
    page: 'Download the page (works offline)',
    all: 'All published roots',
    draws: 'Draws of seats',
    drawCommit: 'Hash published before the draw',
    drawReveal: 'Seed told after it',
    drawLater: 'Told when the tickets are released',
    plan: 'Hash of the record of plan {version} ({count} people, {time})',
  },
)

type Proof = ApiOutput<'GET /blade-signup/score/getScoreProof'>
type Roots = ApiOutput<'GET /blade-exam/examination/scoreRoots'>
type Outcome = 'good' | 'bad' | 'cannot'

const digest = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Works the root out here: the server's word is not asked for. */
const judge = async (proof: Proof, roots: Roots): Promise<Outcome> => {
  if (crypto.subtle === undefined) return 'cannot'
  const [newest] = roots.roots
  return newest !== undefined && (await rootOfProof(proof, digest)) === newest.root ? 'good' : 'bad'
}

const save = (proof: Proof): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(proof, null, 2)], { type: 'application/json' }))
  link.download = `score-proof-${proof.rootNo}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** What anybody can check about the own scores, and about the draw of the seats. */
export const ScoreProofCard = ({ examId }: { readonly examId: string }) => {
  const t = useT(proofTexts)
  const [found, setFound] = useState<{ readonly proof: Proof; readonly roots: Roots; readonly outcome: Outcome } | null>(null)
  const [problem, setProblem] = useSaid<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const [proof, roots] = await Promise.all([
        api.call('GET /blade-signup/score/getScoreProof', { examId }, { quiet: true }),
        api.call('GET /blade-exam/examination/scoreRoots', { examId }, { quiet: true }),
      ])
      setFound({ proof, roots, outcome: await judge(proof, roots) })
    } catch (error) {
      setProblem(isApiError(error) ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  const cause = (of: string) => t(`cause.${of as 'release' | 'correction' | 'withdrawal'}`)
  return (
    <Card title={t('title')}>
      {problem === null && <p>{t('lead')}</p>}
      {found === null ? (
        <Button onClick={() => void check()} disabled={isBusy}>
          {t('check')}
        </Button>
      ) : (
        <>
          <Callout tone={found.outcome === 'good' ? 'success' : found.outcome === 'bad' ? 'danger' : 'warning'} live>
            {found.outcome === 'good' ? t('good', { no: found.proof.rootNo }) : t(found.outcome)}
          </Callout>
          <h3>{t('all')}</h3>
          <ul className="p-plain p-stack">
            {found.roots.roots.map(root => (
              <li key={root.rootNo}>
                <code>{root.root}</code>
                <br />
                <span className="p-small p-dim">
                  {t('published', { time: minuteOf(root.publishedAt), count: root.leaves })} · {t('cause', { cause: cause(root.cause) })}
                </span>
              </li>
            ))}
          </ul>
          {found.roots.draws.length > 0 && (
            <>
              <h3>{t('draws')}</h3>
              <ul className="p-plain p-stack">
                {found.roots.draws.map(draw => (
                  <li key={draw.itemCode}>
                    {draw.itemName}
                    <br />
                    <span className="p-small p-dim">{t('drawCommit')}</span>
                    <br />
                    <code>{draw.seedCommit}</code>
                    <br />
                    <span className="p-small p-dim">{t('drawReveal')}</span>
                    <br />
                    {draw.seedReveal === null ? t('drawLater') : <code>{draw.seedReveal}</code>}
                    {draw.plans.map(plan => (
                      <span key={plan.digest + plan.drawnTime}>
                        <br />
                        <span className="p-small p-dim">
                          {t('plan', { version: plan.version, count: plan.people, time: minuteOf(plan.drawnTime) })}
                        </span>
                        <br />
                        <code>{plan.digest}</code>
                      </span>
                    ))}
                  </li>
                ))}
              </ul>
            </>
          )}
          <p>
            <Button onClick={() => save(found.proof)}>{t('file')}</Button>
          </p>
          <p>
            <a href="/verify.html" download>
              {t('page')}
            </a>
          </p>
        </>
      )}
      {problem !== null && (
        <Callout tone="warning" live>
          {problem}
        </Callout>
      )}
    </Card>
  )
}
