import { ReportPage } from '../../reports/viewer/report-page.tsx'
import { useReportTools } from './report-tools.tsx'

export const ReportRoute = () => <ReportPage useTools={useReportTools} />
