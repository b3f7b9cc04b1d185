import { ReportAsPage } from '../../access/explainer/report-as-page.tsx'
import { useNoTools } from './report-tools.tsx'

export const ReportAsRoute = () => <ReportAsPage useTools={useNoTools} />
