import { ALL_OPERADORAS, type Report } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { badgeOf } from './operadora-badge.ts'
import { logoQuery } from './registrations-queries.ts'
import classes from './report-logo.module.css'

interface ReportLogoProps {
  report: Pick<Report, 'idRelatorio' | 'nomeRelatorio' | 'operadoraRelatorio' | 'logo'>
  /** Side length in pixels. */
  size?: number
}

/** Returns whose badge the report has: its operadora's, or its own when it is of none or of all. */
const ownerOf = ({ nomeRelatorio, operadoraRelatorio }: ReportLogoProps['report']): string =>
  operadoraRelatorio === ALL_OPERADORAS ? nomeRelatorio : operadoraRelatorio || nomeRelatorio

/** The uploaded image, or a badge if there is none, it is loading, or it failed. */
export const ReportLogo = ({ report, size = 36 }: ReportLogoProps) =>
  report.logo === null ? (
    <Badge name={ownerOf(report)} size={size} />
  ) : (
    <Uploaded report={report} fingerprint={report.logo} size={size} />
  )

const Uploaded = ({ report, fingerprint, size }: Required<ReportLogoProps> & { fingerprint: string }) => {
  const { data, error } = useQuery(logoQuery(report.idRelatorio, fingerprint))
  const url = useObjectUrl(data)
  if (url)
    return (
      <img
        src={url}
        alt={`Logo de ${ownerOf(report)}`}
        width={size}
        height={size}
        className={`${classes.logo} ${classes.image}`}
        style={sized(size)}
      />
    )
  return (
    <Badge
      name={ownerOf(report)}
      size={size}
      fault={error ? 'O logo enviado não pôde ser lido.' : undefined}
    />
  )
}

const Badge = ({ name, size, fault }: { name: string; size: number; fault?: string | undefined }) => {
  const { initials, light, dark } = badgeOf(name)
  return (
    <span
      role="img"
      aria-label={[`Logo de ${name}`, fault].filter(Boolean).join('. ')}
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
