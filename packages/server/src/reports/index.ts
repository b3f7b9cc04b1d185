export { choiceTrail } from './activity/choice-trail.ts'
export { isShownNotification } from './comments/comment-readers.ts'
export { mentionSubject, replySubject } from './comments/comment-subjects.ts'
export {
  createReportData,
  isNumberKind,
  openingFilters,
  type ReportDefinition,
} from './data/report-data-api.ts'
export { embedWithoutUser, openedColumns } from './embedding/embed-without-user.ts'
export { findViewableReports } from './embedding/embedding.repository.ts'
export { issueForOpening } from './embedding/issue-for-opening.ts'
export {
  BEGINNING,
  contentTypeOf,
  exportFilter,
  exportParameters,
  exportScope,
  isOfFormat,
  progressOf,
} from './exports/export-order.ts'
export { type ExportableReport, selectExportableReports } from './exports/exportable-report.ts'
export { exportAddress, startExport } from './exports/start-export.ts'
export { expectRefreshes, refreshedReports } from './freshness/refreshed-reports.ts'
export { findMenu, listMenuReports } from './menu/menu.ts'
export { deleteExpiredUsage } from './usage/delete-expired-usage.ts'
export { addUsageEvents } from './usage/usage-events.ts'
export { createViewCheck } from './visibility/may-view.ts'
export { mayReadChoice } from './visibility/others-choices.ts'
export { withoutAccountDenialReasons, withoutAccountTexts } from './visibility/shown-without-account.ts'
export { hasIdentity, viewDenialReason } from './visibility/view-denial-reason.ts'
export { isVisibleTo, personSees, type Viewer, viewerOf } from './visibility/visible-reports.ts'
