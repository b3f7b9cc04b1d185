import type { Report } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { badgeOf } from './operadora-badge.ts'
import classes from './report-logo.module.css'
import { logoQuery } from './report-records-queries.ts'

export interface ReportLogoProps {
  report: Pick<Report, 'idRelatorio' | 'operadoraRelatorio' | 'logo'>
  /** Side length in pixels. */
  size?: number
}

/** The uploaded image, or the operadora's badge if there is none, it is loading, or it failed. */
export const ReportLogo = ({ report, size = 36 }: ReportLogoProps) =>
  report.logo === null ? (
    <Badge operadora={report.operadoraRelatorio} size={size} />
  ) : (
    <Uploaded report={report} mark={report.logo} size={size} />
  )

const Uploaded = ({ report, mark, size }: Required<ReportLogoProps> & { mark: string }) => {
  const { data, error } = useQuery(logoQuery(report.idRelatorio, mark))
  const url = useObjectUrl(data)
  if (url)
    return (
      <img
        src={url}
        alt={`Logo de ${report.operadoraRelatorio}`}
        width={size}
        height={size}
        className={`${classes.logo} ${classes.image}`}
        style={sized(size)}
      />
    )
  return (
    <Badge
      operadora={report.operadoraRelatorio}
      size={size}
      fault={error ? 'O logo enviado não pôde ser lido.' : undefined}
    />
  )
}

const Badge = ({
  operadora,
  size,
  fault,
}: {
  operadora: string
  size: number
  fault?: string | undefined
}) => {
  const { initials, light, dark } = badgeOf(operadora)
  return (
    <span
      role="img"
      aria-label={[`Logo de ${operadora}`, fault].filter(Boolean).join('. ')}
      title={fault}
      className={`${classes.logo} ${classes.badge}`}
      style={sized(size, {
        '--badge-light-ground': light.ground,
        '--badge-light-text': light.text,
        '--badge-dark-ground': dark.ground,
        '--badge-dark-text': dark.text,
      })}
    >
      {initials}
    </span>
  )
}

const sized = (size: number, colours: Record<string, string> = {}) =>
  ({ '--logo-size': `${size}px`, ...colours }) as CSSProperties
