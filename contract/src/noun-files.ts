// Written by `npm run nouns` from the files that are there. Do not edit.
import * as accessTarget from './access/access.target.ts'
import * as scopeResources from './access/scope.resources.ts'
import * as topmenuResource from './access/topmenu.resource.ts'
import * as codeResource from './develop/code.resource.ts'
import * as modelResource from './develop/model.resource.ts'
import * as examSiteResource from './exam/exam-site.resource.ts'
import * as examResources from './exam/exam.resources.ts'
import * as examTarget from './exam/exam.target.ts'
import * as siteRoomResource from './exam/site-room.resource.ts'
import * as attachResource from './file/attach.resource.ts'
import * as fileTarget from './file/file.target.ts'
import * as ossResource from './file/oss.resource.ts'
import * as jobInfoResource from './job/job-info.resource.ts'
import * as jobServerResource from './job/job-server.resource.ts'
import * as sendTemplateResource from './message/send-template.resource.ts'
import * as sendResources from './message/send.resources.ts'
import * as smsResource from './message/sms.resource.ts'
import * as newsResource from './news/news.resource.ts'
import * as noticeFileResource from './news/notice-file.resource.ts'
import * as noticeResource from './news/notice.resource.ts'
import * as organisationTarget from './organisation/organisation.target.ts'
import * as postResource from './organisation/post.resource.ts'
import * as booksResource from './pay/books.resource.ts'
import * as payResources from './pay/pay.resources.ts'
import * as reconciliationResource from './pay/reconciliation.resource.ts'
import * as refundResource from './pay/refund.resource.ts'
import * as schoolResource from './school/school.resource.ts'
import * as examineTipResource from './signup/examine-tip.resource.ts'
import * as signupTarget from './signup/signup.target.ts'
import * as clientResource from './tenancy/client.resource.ts'
import * as datasourceResource from './tenancy/datasource.resource.ts'
import * as paramResource from './tenancy/param.resource.ts'
import * as tenantPackageResource from './tenancy/tenant-package.resource.ts'
import * as ticketRemarkResource from './ticket/ticket-remark.resource.ts'

export const nounFiles: readonly Readonly<Record<string, unknown>>[] = [
  accessTarget,
  scopeResources,
  topmenuResource,
  codeResource,
  modelResource,
  examSiteResource,
  examResources,
  examTarget,
  siteRoomResource,
  attachResource,
  fileTarget,
  ossResource,
  jobInfoResource,
  jobServerResource,
  sendTemplateResource,
  sendResources,
  smsResource,
  newsResource,
  noticeFileResource,
  noticeResource,
  organisationTarget,
  postResource,
  booksResource,
  payResources,
  reconciliationResource,
  refundResource,
  schoolResource,
  examineTipResource,
  signupTarget,
  clientResource,
  datasourceResource,
  paramResource,
  tenantPackageResource,
  ticketRemarkResource,
]
