import { BoundReport, type Embed } from '../../reports/index.ts'
import { useReportTools } from './report-tools.tsx'

const BoundViewer: Embed = (props) => <BoundReport {...props} useTools={useReportTools} />

export default BoundViewer
