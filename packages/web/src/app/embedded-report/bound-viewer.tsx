import type { Embed } from '../../reports/pages/bound-report.ts'
import { BoundReport } from '../../reports/viewer/bound-report.tsx'
import { useReportTools } from './report-tools.tsx'

const BoundViewer: Embed = (props) => <BoundReport {...props} useTools={useReportTools} />

export default BoundViewer
