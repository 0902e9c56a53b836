/**
 * What each program asks the server on every start, in the order in which it is needed: paths below /api as `urlOf` writes them. The boot
 * script (web/boot.js) asks for it while the program itself is on its way; `{last}` is the last part of the path. A
 * call here that its program does not make is a call too many (e2e/start.test.ts).
 */
export const firstCalls = {
  login: ['/blade-auth/oauth/captcha'],
  portal: ['/blade-exam/examination/getMyPayList?state=1'],
  console: [
    '/blade-system/menu/routes',
    '/blade-system/menu/buttons',
    '/blade-system/field-rule/own',
    '/me/settings',
    '/blade-system/role/role-list',
  ],
} as const

const home = ['/blade-signup/signup/myExamList?current=1&size=50', '/blade-signup/signup/examList?current=1&size=20']

/** The same of the candidates' pages. */
export const firstCallsOfPortal: Readonly<Record<string, readonly string[]>> = {
  '/': home,
  '/wel/index': home,
  '/signup/form/:examId': ['/blade-signup/signup/getExamInfoOrSignUpInfo?examId={last}'],
}

const page = (base: string, more = '') => [`${base}/page?current=1&size=10${more}`]
const list = (base: string) => [`${base}/list?current=1&size=10`]
const exams = '/blade-exam/examination/page?current=1&size=200'

/** The same of the console's pages: their first list, and what its rows are chosen by. Plain nouns are known to the build (web/parts.ts). */
export const firstCallsOfConsole: Readonly<Record<string, readonly string[]>> = {
  '/wel/dashboard': [exams],
  '/base/region': ['/blade-system/region/lazy-list?parentCode=00'],
  '/dict-horizontal/index': ['/blade-system/dict-biz/parent-list?current=1&size=10'],
  '/dict-vertical/index': ['/blade-system/dict-biz/parent-list?current=1&size=10'],
  '/exam/examination': page('/blade-exam/examination'),
  '/exam/examitem': [exams],
  '/exam/files': list('/blade-files/files'),
  '/exam/items': list('/blade-items/items'),
  '/exam/signfiles': [exams],
  '/exam/signitems': [exams],
  '/exam/typeCode': [exams],
  '/examine/list': ['/blade-exam/examination/page?state=1&current=1&size=200'],
  '/examine/signup': [exams],
  '/monitor/authLock': page('/blade-system/auth-lock', '&count=capped'),
  '/monitor/authLog': page('/blade-system/auth-log', '&count=capped'),
  '/monitor/log/api': list('/blade-log/api'),
  '/monitor/log/error': list('/blade-log/error'),
  '/monitor/log/usual': list('/blade-log/usual'),
  '/monitor/online': page('/blade-system/online', '&count=capped'),
  '/pay/examPay': [...list('/blade-examPay/exampay'), exams],
  '/pay/payAccount': ['/blade-exam/examination/getPayAccount'],
  '/pay/payAlarm': list('/blade-payAlarm/payalarm'),
  '/pay/payOrder': [...list('/blade-payOrder/payorder'), exams],
  '/result/result': [exams],
  '/system/client': page('/blade-system/client'),
  '/system/dataScope': page('/blade-system/data-scope'),
  '/system/dict': ['/blade-system/dict/list'],
  '/system/dictbiz': ['/blade-system/dict-biz/list'],
  '/system/fieldRule': ['/blade-system/field-rule/list'],
  '/system/menu': ['/blade-system/menu/lazy-list?parentId=0'],
  '/system/param': page('/blade-system/param'),
  '/system/platformParam': ['/blade-system/platform-param/list'],
  '/system/role': ['/blade-system/role/list'],
  '/system/tenant-package': page('/blade-system/tenant-package'),
  '/system/topmenu': page('/blade-system/topmenu'),
}

/** The big part of a page that it draws last: its file is on its way as soon as those that the page begins with are here. */
export const laterOfConsole: Readonly<Record<string, string>> = { '/wel/dashboard': 'ui/chart-canvas.tsx' }
