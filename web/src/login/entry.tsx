import { createRoot } from 'react-dom/client'
import { LoginPage } from './login-page.tsx'
import './login.css'

export const mount = (into: HTMLElement): (() => void) => {
  const root = createRoot(into)
  root.render(<LoginPage />)
  return () => root.unmount()
}
