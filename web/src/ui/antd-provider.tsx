import { ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useLang } from '../kernel/i18n/index.ts'
import { tokensOf } from '../kernel/theme/choose.ts'
import { useTheme } from '../kernel/theme/theme.ts'
import { antdTheme } from './antd-theme.ts'
import { findOption } from './find-option.ts'
import { Icon, iconPaths } from './icon.tsx'
import './ui.css'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

const cross = <Icon d={iconPaths.close} size={12} />
/** The kit's own icons have English names, and say nothing that the field does not. */
const choices = {
  suffixIcon: <Icon d={iconPaths.down} size={12} />,
  clearIcon: cross,
  removeIcon: cross,
  menuItemSelectedIcon: <Icon d="m3 8.5 3.5 3.5L13 4.5" size={12} />,
  loadingIcon: <Icon d={iconPaths.refresh} size={12} />,
  showSearch: { filterOption: findOption, searchIcon: <Icon d={iconPaths.search} size={12} /> },
}
const tabs = { more: { icon: <Icon d="M2.6 8h1.6M7.2 8h1.6M11.8 8h1.6" /> } }
const calendar = { allowClear: { clearIcon: cross }, suffixIcon: <Icon d="M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3" size={14} /> }

/** Colours, language and habits of every antd control of the console. */
export const AntdProvider = ({ children }: { readonly children: ReactNode }) => {
  const mode = useTheme(state => state.mode)
  const look = useTheme(state => state.look)
  const lang = useLang()
  useEffect(() => {
    dayjs.locale(lang === 'zh' ? 'zh-cn' : 'en')
  }, [lang])
  const config = useMemo(() => antdTheme(mode, tokensOf(look, mode)), [mode, look])
  return (
    <ConfigProvider
      theme={config}
      locale={lang === 'zh' ? zhCN : enUS}
      button={{ autoInsertSpace: false }}
      select={choices}
      datePicker={calendar}
      tabs={tabs}
      {...(nonce === undefined ? {} : { csp: { nonce } })}
    >
      {children}
    </ConfigProvider>
  )
}
