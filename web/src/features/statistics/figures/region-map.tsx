import { type CSSProperties, useState } from 'react'
import { grouped } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { ChartCard } from '#web/ui/chart.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { HiddenCell } from './hidden-cell.tsx'
import { byProvince, type ProvinceCount, type RegionCount } from './provinces.ts'
import { figureTexts } from './texts.ts'

/** The province with most people that may be said, or the first of which nothing may be. */
const largest = (provinces: readonly ProvinceCount[]): ProvinceCount | undefined =>
  provinces.filter(one => one.regions.length > 0).sort((one, other) => (other.people ?? 0) - (one.people ?? 0))[0]

const Tile = ({
  province: { tile, people },
  top,
  isChosen,
  onChoose,
}: {
  readonly province: ProvinceCount
  readonly top: number
  readonly isChosen: boolean
  readonly onChoose: () => void
}) => {
  const t = useT(figureTexts)
  const label = useLabel()
  const name = label(tile.name)
  const short = label(tile.short)
  const said = `${short} ${people === null ? t('hiddenCell') : t('peopleOf', { n: people })}`
  const share = people === null ? 0 : Math.round((people / Math.max(1, top)) * 100)
  return (
    <li style={{ gridColumn: tile.column, gridRow: tile.row }}>
      <button
        type="button"
        className="region-tile"
        aria-pressed={isChosen}
        disabled={people === 0}
        title={name}
        // Whoever speaks to the page says what stands there: the letters come first, then the whole name.
        aria-label={short === name ? said : `${said}, ${name}`}
        style={{ '--region-share': `${share === 0 ? 0 : 12 + share * 0.3}%` } as CSSProperties}
        onClick={onChoose}
      >
        <span>{short}</span>
        <strong>{people === null ? '*' : people === 0 ? '' : grouped(people)}</strong>
      </button>
    </li>
  )
}

/** Where people come from: provinces as tiles about where they lie, and the cities of one of them with their numbers (domain 6.2). */
export const RegionMap = ({ regions }: { readonly regions: readonly RegionCount[] }) => {
  const t = useT(figureTexts)
  const label = useLabel()
  const [chosen, setChosen] = useState<string | null>(null)
  const { provinces, others } = byProvince(regions)
  const shown = provinces.find(one => one.tile.code === chosen) ?? largest(provinces)
  const top = Math.max(...provinces.map(one => one.people ?? 0))
  return (
    <ChartCard title={t('region')} heightPx={360}>
      {regions.length === 0 ? (
        <EmptyState text={t('empty')} />
      ) : (
        <div className="region">
          <ul className="region-map" aria-label={t('region.map')}>
            {provinces.map(province => (
              <Tile
                key={province.tile.code}
                province={province}
                top={top}
                isChosen={province === shown}
                onChoose={() => setChosen(province.tile.code)}
              />
            ))}
          </ul>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className="plain-table region-list" aria-label={shown ? label(shown.tile.name) : t('dim.region')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{shown ? label(shown.tile.name) : t('dim.region')}</th>
                  <th scope="col" data-align="right">
                    {t('people')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {[...(shown?.regions ?? []), ...others].map(region => (
                  <tr key={`${region.code} ${region.name}`}>
                    <th scope="row">{region.name}</th>
                    <td data-align="right">{region.people === null ? <HiddenCell /> : grouped(region.people)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <p>{t('region.note')}</p>
        </div>
      )}
    </ChartCard>
  )
}
