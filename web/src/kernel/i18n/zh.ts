/** Source of the kernel's text keys. Texts quoted by the specification are word for word (decision 3.19). */
export const zh = {
  'app.name': '区卫生健康系统人才招聘平台',
  'app.skip': '跳到主要内容',
  'app.theme.toDark': '切换到深色',
  'app.theme.toLight': '切换到浅色',

  'error.system': '系统错误',
  'error.withId': '{message}（请求编号 {id}）',
  'error.network': '网络异常，请检查网络后重试',
  'error.timeout': '请求超时，请稍后重试',
  'error.tokenExpired': '用户令牌过期，请重新登录',
  'error.load': '加载失败',
  'error.chunk': '页面文件加载失败或超时，请检查网络后重试',

  'action.ok': '确定',
  'action.close': '关闭',
  'action.retry': '重试',
} as const
