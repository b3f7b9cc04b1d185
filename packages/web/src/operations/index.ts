export { EnvironmentNotice } from './installation/environment-notice.tsx'
export { SetupChecklist } from './setup/setup-checklist.tsx'
export { AttentionList } from './system-status/attention-list.tsx'
