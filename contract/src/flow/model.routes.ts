import { Type } from 'typebox'
import { countInput, pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type PermissionCode } from '../kernel/route.ts'
import { id, ids, int, named, optional, strict, text } from '../kernel/schema.ts'
import { definitionColumns, problemView, stepWarning } from './flow.shapes.ts'
import { maxXmlChars } from './flow-limits.ts'

const S = Type.String()
const modelColumns = {
  id: S,
  modelKey: S,
  name: S,
  description: S,
  version: Type.Integer(),
  created: S,
  lastUpdated: S,
}
/** Numbers of tenants; empty: for all tenants where an administrator of the platform asks, for the own tenant where anybody else does. */
const tenantIds = optional(named({ zh: '租户', en: 'Tenants' }, Type.String({ pattern: '^(\\w{1,18}(,\\w{1,18}){0,199})?$' })))
/** A common process is the platform's, and so is what it deploys in other tenants. */
const common = (staff: PermissionCode) => ({ staff, reachesAll: 'asked', because: 'a common process runs in every tenant' }) as const
const processName = named({ zh: '流程名称', en: 'Name of the process' }, text(100))
const category = named({ zh: '流程分类', en: 'Category' }, text(60, { minLength: 1 }))
const xml = named({ zh: '流程图', en: 'Process' }, Type.String({ maxLength: maxXmlChars }))
const deployed = Type.Object({ definitions: Type.Array(Type.Object({ id: S, key: S, version: Type.Integer(), tenantId: S })) })

const models = defineRoute({
  method: 'GET',
  path: '/blade-flow/model/list',
  access: { staff: 'flow_model_view' },
  input: strict({ ...pageInput, ...countInput, modelKey: optional(text(60)), name: optional(processName) }),
  output: pageOf(Type.Object(modelColumns)),
  tx: 'read',
})
const modelDetail = defineRoute({
  method: 'GET',
  path: '/blade-flow/model/detail',
  access: { staff: 'flow_model_view' },
  input: strict({ id: id() }),
  output: Type.Object({ ...modelColumns, modelEditorXml: S, problems: Type.Array(problemView), warnings: Type.Array(stepWarning) }),
  tx: 'read',
})
/** Key, name and description are those of the process in the XML. A draft may have problems; only the deployment asks for none. */
const submitModel = defineRoute({
  method: 'POST',
  path: '/blade-flow/model/submit',
  access: { staff: ['flow_model_create', 'flow_model_update'] },
  input: strict({
    id: optional(id()),
    modelEditorXml: xml,
    /** The version that was loaded: the save is refused when somebody saved another meanwhile. */
    version: optional(int(1, 1_000_000)),
    modelKey: optional(text(60)),
    name: optional(processName),
    description: optional(named({ zh: '说明', en: 'Description' }, text(500))),
  }),
  output: Type.Object({ ...modelColumns, problems: Type.Array(problemView) }),
  means: 'adds or saves a drawn process; saving again raises its version',
})
const checkModel = defineRoute({
  method: 'POST',
  path: '/blade-flow/model/check',
  access: { staff: ['flow_model_view', 'flow_deploy_upload'] },
  input: strict({ modelEditorXml: xml }),
  output: Type.Object({ problems: Type.Array(problemView), warnings: Type.Array(stepWarning) }),
  tx: 'read',
  means: 'what a deployment of this drawing would refuse',
})
const removeModel = defineRoute({
  method: 'POST',
  path: '/blade-flow/model/remove',
  access: { staff: 'flow_model_delete' },
  input: strict({ ids: ids() }),
  output: Type.Object({ removed: Type.Integer() }),
  means: 'removes drawings; what was deployed from them stays',
})
const deployModel = defineRoute({
  method: 'POST',
  path: '/blade-flow/model/deploy',
  access: common('flow_model_deploy'),
  input: strict({ modelId: id(), category, tenantIds }),
  output: deployed,
  tx: 'own',
  means: 'makes a new version of the process; what runs keeps its own',
})

const definitions = defineRoute({
  method: 'GET',
  path: '/blade-flow/manager/list',
  access: common('flow_manager_view'),
  input: strict({
    ...pageInput,
    ...countInput,
    key: optional(text(60)),
    name: optional(processName),
    category: optional(named({ zh: '流程分类', en: 'Category' }, text(60))),
    /** 1 common, 2 of a tenant. */
    mode: optional(named({ zh: '范围', en: 'For whom' }, int(1, 2))),
    /** 1: the newest version of each alone. */
    latest: optional(int(0, 1)),
  }),
  output: pageOf(
    Type.Object({
      ...definitionColumns,
      /** Processes of the caller's tenant that run by it. */
      runningCount: Type.Integer(),
      /** The caller may suspend or remove it: their own, or a common one as an administrator of the platform. */
      isOwn: Type.Boolean(),
    }),
  ),
  tx: 'read',
})
const changeState = defineRoute({
  method: 'POST',
  path: '/blade-flow/manager/change-state',
  access: common('flow_manager_state'),
  input: strict({ processId: id(), state: Type.Enum(['active', 'suspend']) }),
  output: Type.Object({ suspensionState: Type.Integer() }),
  tx: 'own',
  means: 'a suspended definition starts nothing; what runs goes on',
})
const files = [{ name: 'file*', maxBytes: maxXmlChars * 4, maxCount: 10 }] as const
const checkUpload = defineRoute({
  method: 'POST',
  path: '/blade-flow/manager/check-upload',
  access: { staff: 'flow_deploy_upload' },
  input: strict({}),
  files,
  output: Type.Object({ problems: Type.Array(problemView), warnings: Type.Array(stepWarning), key: S, name: S }),
  tx: 'own',
})
const deployUpload = defineRoute({
  method: 'POST',
  path: '/blade-flow/manager/deploy-upload',
  access: common('flow_deploy_upload'),
  input: strict({ category, tenantIds }),
  files,
  output: deployed,
  tx: 'own',
})
/** Without `confirm` it is refused where processes run by it, and they are named in `data.instances`. */
const deleteDeployment = defineRoute({
  method: 'POST',
  path: '/blade-flow/manager/delete-deployment',
  access: common('flow_manager_remove'),
  input: strict({ deploymentIds: ids(), confirm: optional(int(0, 1)), reason: optional(text(200)) }),
  several: 'each',
  output: Type.Object({ removed: Type.Integer(), cancelled: Type.Integer() }),
  tx: 'own',
})

export const modelRoutes = [
  models,
  modelDetail,
  submitModel,
  checkModel,
  removeModel,
  deployModel,
  definitions,
  changeState,
  checkUpload,
  deployUpload,
  deleteDeployment,
] as const
export {
  changeState,
  checkModel,
  checkUpload,
  definitions,
  deleteDeployment,
  deployModel,
  deployUpload,
  modelDetail,
  models,
  removeModel,
  submitModel,
}
