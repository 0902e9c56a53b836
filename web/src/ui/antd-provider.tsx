import { ConfigProvider, theme } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useLang } from '../kernel/i18n/index.ts'
import { type Mode, useTheme } from '../kernel/theme/theme.ts'
import './ui.css'

/** The same roles as kernel/theme/tokens.css; antd derives shades from them, so it needs values and not `var()`. */
const seeds: Record<Mode, Record<string, string>> = {
  light: {
    colorPrimary: '#1668dc',
    colorLink: '#0e55b8',
    colorError: '#cf1322',
    colorSuccess: '#237804',
    colorWarning: '#ad4e00',
    colorTextPlaceholder: 'rgba(0,0,0,.55)',
    colorTextDisabled: 'rgba(0,0,0,.55)',
    colorTextDescription: 'rgba(0,0,0,.6)',
    colorBorder: '#868f9e',
  },
  dark: {
    colorPrimary: '#1668dc',
    colorLink: '#7db4ff',
    colorError: '#ff8a84',
    colorSuccess: '#7fd35b',
    colorWarning: '#f3b45c',
    colorTextPlaceholder: 'rgba(255,255,255,.6)',
    colorTextDisabled: 'rgba(255,255,255,.55)',
    colorTextDescription: 'rgba(255,255,255,.6)',
    colorBgElevated: '#1f1f1f',
    colorBorder: '#7c7c7c',
  },
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** Colours, language and habits of every antd control of the console. */
export const AntdProvider = ({ children }: { readonly children: ReactNode }) => {
  const mode = useTheme(state => state.mode)
  const lang = useLang()
  useEffect(() => {
    dayjs.locale(lang === 'zh' ? 'zh-cn' : 'en')
  }, [lang])
  const config = useMemo(
    () => ({
      algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
      token: { ...seeds[mode], borderRadius: 6, fontFamily: 'var(--font)', motionDurationMid: '0.15s', motionDurationSlow: '0.15s' },
      components: { Form: { labelColor: mode === 'dark' ? '#bcc2cc' : '#4b5563' } },
    }),
    [mode],
  )
  return (
    <ConfigProvider
      theme={config}
      locale={lang === 'zh' ? zhCN : enUS}
      button={{ autoInsertSpace: false }}
      {...(nonce === undefined ? {} : { csp: { nonce } })}
    >
      {children}
    </ConfigProvider>
  )
}
