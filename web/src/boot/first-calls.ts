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
  site: [],
} as const

const home = ['/blade-signup/signup/myExamList?current=1&size=50', '/blade-signup/signup/examList?current=1&size=20']

/** The same of the candidates' pages. */
export const firstCallsOfPortal: Readonly<Record<string, readonly string[]>> = {
  '/': home,
  '/wel/index': home,
  '/signup/form/:examId': ['/blade-signup/signup/getExamInfoOrSignUpInfo?examId={last}'],
}

const rows = (path: string, more = '') => [`${path}?current=1&size=10${more}`]
const exams = '/blade-exam/examination/page?current=1&size=200'

/** The same of the console's pages: their first list, and what its rows are chosen by. Plain nouns are known to the build (web/parts.ts). */
export const firstCallsOfConsole: Readonly<Record<string, readonly string[]>> = {
  '/wel/dashboard': [exams],
  '/base/region': ['/blade-system/region/lazy-list?parentCode=00'],
  '/dict-horizontal/index': ['/blade-system/dict-biz/parent-list?current=1&size=10'],
  '/dict-vertical/index': ['/blade-system/dict-biz/parent-list?current=1&size=10'],
  '/exam/examination': rows('/blade-exam/examination/page', '&withMissing=1'),
  '/exam/examitem': [exams],
  '/exam/files': rows('/blade-files/files/list'),
  '/exam/items': rows('/blade-items/items/list'),
  '/exam/signfiles': [exams],
  '/exam/signitems': [exams],
  '/exam/typeCode': [exams],
  '/examine/list': ['/blade-exam/examination/page?state=1&current=1&size=200'],
  '/examine/signup': [exams],
  '/monitor/authLock': rows('/blade-system/auth-lock/page', '&count=capped'),
  '/monitor/authLog': rows('/blade-system/auth-log/page', '&count=capped'),
  '/monitor/log/api': rows('/blade-log/api/list'),
  '/monitor/log/error': rows('/blade-log/error/list'),
  '/monitor/log/usual': rows('/blade-log/usual/list'),
  '/monitor/online': rows('/blade-system/online/page', '&count=capped'),
  '/pay/examPay': [...rows('/blade-examPay/exampay/list'), exams],
  '/pay/payAccount': ['/blade-exam/examination/getPayAccount'],
  '/pay/payAlarm': rows('/blade-payAlarm/payalarm/list'),
  '/pay/payOrder': [...rows('/blade-payOrder/payorder/list'), exams],
  '/pay/exportpaymain': rows('/blade-exportpaymain/exportpaymain/list'),
  '/pay/payRefund': rows('/blade-payRefund/payrefund/list'),
  '/pay/reconciliation': rows('/blade-reconciliation/reconciliation/list'),
  '/result/result': [exams],
  '/system/client': rows('/blade-system/client/page'),
  '/authority/datascope': rows('/blade-system/data-scope/page'),
  '/system/dict': ['/blade-system/dict/list'],
  '/system/dictbiz': ['/blade-system/dict-biz/list'],
  '/system/fieldRule': ['/blade-system/field-rule/list'],
  '/system/menu': ['/blade-system/menu/lazy-list?parentId=0'],
  '/system/param': rows('/blade-system/param/page'),
  '/system/platformParam': ['/blade-system/platform-param/list'],
  '/authority/role': ['/blade-system/role/list'],
  '/system/tenant-package': rows('/blade-system/tenant-package/page'),
  '/system/topmenu': rows('/blade-system/topmenu/page'),
}

/** The big part of a page that it draws last: its file is on its way as soon as those that the page begins with are here. */
export const laterOfConsole: Readonly<Record<string, string>> = { '/wel/dashboard': 'ui/chart-canvas.tsx' }
