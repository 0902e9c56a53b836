import { useState } from 'react'
import { rootOfProof } from '#contract/kernel/inclusion-proof.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { Card } from '../kit/card.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'

const texts = defineTexts(
  {
    title: '座位核验',
    lead: '座位由抽签编排：抽签前公布种子的摘要，抽签时公布全部座位的核验值，事后改动任何一个座位都会对不上。您可以核验自己的座位在其中。',
    check: '核验我的座位',
    good: '核验通过：抽签给您的座位是考点 {site} 考场 {room} 座位 {seat}，包含在公布的核验值中。',
    bad: '核验不通过：您的座位与公布的核验值对不上，请联系考务并保存核验文件。',
    cannot: '这个浏览器无法在本机核验，请下载核验文件和核验页面。',
    moved: '抽签之后考务调整过您的座位，请以准考证为准。',
    root: '公布的座位核验值（第 {version} 版编排，{count} 人，{time}）',
    commit: '抽签前公布的种子摘要',
    reveal: '公布的种子',
    file: '下载核验文件',
    page: '下载核验页面（可断网使用）',
  },
  {
    title: 'Check your seat',
    lead: 'Seats are drawn: the hash of the seed was published before the draw and, with the draw, a check value (the “root”) worked out from all seats: whoever changes one later no longer gets it. You can check that yours is part of it.',
    check: 'Check my seat',
    good: 'It is: the draw gave you site {site}, room {room}, seat {seat}, and that is part of the published root.',
    bad: 'It is not: your seat does not lead to the published root. Keep the file and contact the office.',
    cannot: 'This browser cannot check by itself. Download the file and the page that checks it.',
    moved: 'The office changed your seat after the draw; what the ticket says counts.',
    root: 'Published root of the seats (plan {version}, {count} people, {time})',
    commit: 'Hash of the seed, published before the draw',
    reveal: 'The seed',
    file: 'Download the file',
    page: 'Download the page (works offline)',
  },
)

type Proof = ApiOutput<'GET /blade-signup/ticket/getSeatProof'>[number]
type Draw = ApiOutput<'GET /blade-exam/examination/scoreRoots'>['draws'][number]
interface Found {
  readonly proof: Proof
  readonly outcome: 'good' | 'bad' | 'cannot'
  /** The draw whose published root it is. */
  readonly draw: Draw | undefined
}

const digest = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Works the root out here and looks for it among those that everybody can read. */
const judge = async (proof: Proof, draws: readonly Draw[]): Promise<Found> => {
  const root = crypto.subtle === undefined ? undefined : await rootOfProof(proof, digest)
  const draw = draws.find(one => one.plans.some(plan => plan.seatRoot === (root ?? proof.root)))
  return { proof, draw, outcome: crypto.subtle === undefined ? 'cannot' : root !== undefined && draw ? 'good' : 'bad' }
}

/** What a candidate can check about the own seat. */
export const SeatProofCard = ({ examId }: { readonly examId: string }) => {
  const t = useT(texts)
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const [problem, setProblem] = useSaid<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const [proofs, { draws }] = await Promise.all([
        api.call('GET /blade-signup/ticket/getSeatProof', { examId }, { quiet: true }),
        api.call('GET /blade-exam/examination/scoreRoots', { examId }, { quiet: true }),
      ])
      setFound(await Promise.all(proofs.map(proof => judge(proof, draws))))
    } catch (error) {
      setProblem(isApiError(error) ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('title')}>
      {found === null ? (
        <>
          {problem === null && <p>{t('lead')}</p>}
          <Button onClick={() => void check()} busy={isBusy}>
            {t('check')}
          </Button>
        </>
      ) : (
        <>
          {found.map(({ proof, draw, outcome }) => {
            const plan = draw?.plans.find(one => one.seatRoot === proof.root)
            return (
              <div key={proof.root} className="p-stack">
                <h3>{proof.itemNames.join('、')}</h3>
                <Callout tone={outcome === 'good' ? 'success' : outcome === 'bad' ? 'danger' : 'warning'} live>
                  {outcome === 'good' ? t('good', { site: proof.siteCode, room: proof.roomNo, seat: proof.seatNo }) : t(outcome)}
                </Callout>
                {proof.isMoved && <Callout tone="warning">{t('moved')}</Callout>}
                {draw && plan && (
                  <div>
                    <span className="p-small p-dim">
                      {t('root', { version: plan.version, count: plan.people, time: minuteOf(plan.drawnTime) })}
                    </span>
                    <br />
                    <code>{plan.seatRoot}</code>
                    <br />
                    <span className="p-small p-dim">{t('commit')}</span>
                    <br />
                    <code>{draw.seedCommit}</code>
                    {draw.seedReveal !== null && (
                      <>
                        <br />
                        <span className="p-small p-dim">{t('reveal')}</span>
                        <br />
                        <code>{draw.seedReveal}</code>
                      </>
                    )}
                  </div>
                )}
                <p>
                  <Button
                    onClick={() =>
                      saveFile(new Blob([JSON.stringify(proof, null, 2)], { type: 'application/json' }), `seat-proof-${proof.version}.json`)
                    }
                  >
                    {t('file')}
                  </Button>
                </p>
              </div>
            )
          })}
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
