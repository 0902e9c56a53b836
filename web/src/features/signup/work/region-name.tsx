import { useCall } from '#web/kernel/query.ts'

/** A region does not change its name while somebody reviews. */
const staleTimeMs = Number.POSITIVE_INFINITY
const quiet = { quiet: true, staleTimeMs } as const

/** Province, city and district of a GB/T 2260 code in words; the code itself until they are known. */
export const RegionName = ({ code }: { readonly code: string }) => {
  const [province, city] = [`${code.slice(0, 2)}0000`, `${code.slice(0, 4)}00`]
  const provinces = useCall('GET /blade-system/region/select', {}, quiet)
  const cities = useCall('GET /blade-system/region/select', { code: province }, { ...quiet, enabled: code !== province })
  const districts = useCall('GET /blade-system/region/select', { code: city }, { ...quiet, enabled: code !== city && city !== province })
  const names = [
    provinces.data?.find(region => region.code === province)?.name,
    cities.data?.find(region => region.code === city)?.name,
    [...(districts.data ?? []), ...(cities.data ?? [])].find(region => region.code === code && code !== city)?.name,
  ].filter(name => name !== undefined)
  return <span title={code}>{names.length === 0 ? code : names.join(' ')}</span>
}
