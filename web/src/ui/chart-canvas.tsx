import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendPlainComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { type ECharts, type EChartsCoreOption, init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { saveFile } from '../kernel/save-file.ts'
import { type Mode, useTheme } from '../kernel/theme/theme.ts'
import type { ChartData } from './chart-data.ts'

register([BarChart, LineChart, PieChart, GridComponent, LegendPlainComponent, TooltipComponent, MarkLineComponent, CanvasRenderer])

/** Told apart in both themes and by people who see few colours; the table twin says the rest. */
const palettes: Record<Mode, readonly string[]> = {
  light: ['#1668dc', '#d46b08', '#237804', '#722ed1', '#08979c', '#c41d7f', '#7c5c00', '#5b6472'],
  dark: ['#5b9bf5', '#f0a35c', '#7fd35b', '#b38df0', '#4fc4c8', '#f07fb8', '#d9b84a', '#a7b0bd'],
}
const inks: Record<
  Mode,
  { readonly text: string; readonly strong: string; readonly line: string; readonly card: string; readonly mark: string }
> = {
  light: { text: '#4b5563', strong: '#1f2329', line: '#e6eaf0', card: '#ffffff', mark: '#cf1322' },
  dark: { text: '#bcc2cc', strong: '#e8eaed', line: '#3a3a3a', card: '#1f1f1f', mark: '#ff8a84' },
}

interface Props {
  readonly title: string
  readonly data: ChartData
  readonly heightPx: number
  readonly format: (value: number) => string
  readonly onReady: (save: (() => () => void) | null) => void
}

/** Names beside lying bars have so much room; on a phone the bars keep more than half. */
const nameRoom = (widthPx: number): number => Math.min(180, Math.round(widthPx * 0.4))

const optionOf = ({ data, format }: Pick<Props, 'data' | 'format'>, mode: Mode, widthPx: number): EChartsCoreOption => {
  const ink = inks[mode]
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const common = {
    color: [...palettes[mode]],
    animation: !still,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: ink.text },
    legend: {
      data: data.kind === 'pie' ? [...data.categories] : data.series.map(series => series.name),
      bottom: 0,
      textStyle: { color: ink.text },
      show: data.kind === 'pie' || data.series.length > 1,
    },
    tooltip: {
      trigger: data.kind === 'pie' ? 'item' : 'axis',
      confine: true,
      backgroundColor: ink.card,
      borderColor: ink.line,
      textStyle: { color: ink.text },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '-'),
    },
  }
  if (data.kind === 'pie') {
    const values = data.series[0]?.values ?? []
    return {
      ...common,
      series: [
        {
          type: 'pie',
          radius: ['42%', '60%'],
          center: ['50%', '44%'],
          label: { color: ink.text, overflow: 'break' },
          labelLine: { length: 8, length2: 6 },
          itemStyle: { borderColor: ink.card, borderWidth: 2 },
          data: data.categories.map((name, index) => ({ name, value: values[index] ?? 0 })),
        },
        // A pie of no size carries the words in the hole: the library's titles would be another kilobyte for everybody.
        ...(data.centre === undefined
          ? []
          : [
              {
                type: 'pie',
                radius: 0,
                center: ['50%', '44%'],
                silent: true,
                tooltip: { show: false },
                labelLine: { show: false },
                label: {
                  position: 'center',
                  formatter: `{value|${data.centre.value}}\n{label|${data.centre.label}}`,
                  rich: {
                    value: { color: ink.strong, fontSize: 18, fontWeight: 600, lineHeight: 24 },
                    label: { color: ink.text, fontSize: 12 },
                  },
                },
                data: [1],
              },
            ]),
      ],
    }
  }
  const categories = {
    type: 'category',
    data: [...data.categories],
    // Beside lying bars there is room for every name.
    axisLabel: {
      color: ink.text,
      hideOverlap: true,
      ...(data.lying ? { interval: 0, width: nameRoom(widthPx), overflow: 'truncate' } : {}),
    },
    axisLine: { lineStyle: { color: ink.line } },
    axisTick: { show: false },
    inverse: data.lying ?? false,
  }
  const values = {
    ...(data.valueName === undefined
      ? {}
      : {
          name: data.valueName,
          nameLocation: data.lying ? 'middle' : 'end',
          nameGap: data.lying ? 28 : 14,
          nameTextStyle: { color: ink.text, align: data.lying ? 'center' : 'left' },
        }),
    type: 'value',
    axisLabel: { color: ink.text },
    splitLine: { lineStyle: { color: ink.line } },
    minInterval: 1,
  }
  return {
    ...common,
    grid: {
      left: 8,
      right: 16,
      top: data.valueName === undefined ? 16 : 32,
      bottom: (data.series.length > 1 ? 36 : 8) + (data.lying && data.valueName !== undefined ? 24 : 0),
      containLabel: true,
    },
    xAxis: data.lying ? values : categories,
    yAxis: data.lying ? categories : values,
    series: data.series.map((series, index) => ({
      type: data.kind,
      name: series.name,
      data: [...series.values],
      barMaxWidth: 36,
      smooth: false,
      ...(data.stacked ? { stack: 'all' } : {}),
      ...(data.mark === undefined || index > 0
        ? {}
        : {
            markLine: {
              silent: true,
              symbol: 'none',
              animation: false,
              lineStyle: { color: ink.mark, type: 'dashed', width: 1.5 },
              label: { formatter: data.mark.label, color: ink.mark, position: 'insideEndTop' },
              data: [data.lying ? { yAxis: data.mark.at } : { xAxis: data.mark.at }],
            },
          }),
    })),
  }
}

let lastTurn: Promise<unknown> = Promise.resolve()
const nextFrame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
/** One chart a frame: five at once would hold up the figures above them, and whoever scrolls or types meanwhile. */
const inTurn = (draw: () => void): void => {
  lastTurn = lastTurn.then(nextFrame).then(draw)
}

/** Keep `data` and `format` the same between renders: the chart is drawn again when one changes. */
export const ChartCanvas = ({ title, data, heightPx, format, onReady }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts | null>(null)
  const mode = useTheme(state => state.mode)
  useEffect(() => {
    if (box.current === null) return
    // It tells the first size too, in which the chart is drawn: once more would cost as much as the first time.
    const size = new ResizeObserver(([entry]) => {
      if (entry !== undefined && Math.round(entry.contentRect.width) !== chart.current?.getWidth()) chart.current?.resize()
    })
    size.observe(box.current)
    return () => {
      size.disconnect()
      chart.current?.dispose()
      chart.current = null
    }
  }, [])
  useEffect(() => {
    let isGone = false
    inTurn(() => {
      if (isGone || box.current === null) return
      chart.current ??= init(box.current)
      chart.current.setOption(optionOf({ data, format }, mode, chart.current.getWidth()), true)
    })
    return () => {
      isGone = true
    }
  }, [data, format, mode])
  useEffect(() => {
    const save = async () => {
      const url = chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: inks[mode].card })
      if (url === undefined) return
      const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), letter => letter.charCodeAt(0))
      saveFile(new Blob([bytes], { type: 'image/png' }), `${title}.png`)
    }
    onReady(() => () => void save())
    return () => onReady(null)
  }, [mode, title, onReady])
  return <div ref={box} role="img" aria-label={title} style={{ height: heightPx }} />
}
