import type { Embed } from '../../features/dashboards/bound-report.ts'
import { BoundReport } from '../../features/viewer/bound-report.tsx'
import { useReportTools } from './report-tools.tsx'

const BoundViewer: Embed = (props) => <BoundReport {...props} useTools={useReportTools} />

export default BoundViewer
