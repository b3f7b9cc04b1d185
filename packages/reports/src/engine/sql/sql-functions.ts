/*
 * The functions that definitions may call. An allow-list, because DuckDB gains functions with
 * each version, and some read settings, sleep, log, or run SQL from a text. It also excludes
 * functions that seldom serve a report and easily exceed its time or memory (`repeat`,
 * `list_reduce`, `levenshtein` …); what exceeds them all the same is contained.
 */

const AGGREGATE = `
  any_value approx_count_distinct approx_quantile arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin
  array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp
  favg first fsum geomean geometric_mean group_concat histogram kurtosis last list listagg mad max max_by mean median
  min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2
  regr_slope skewness stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance wavg weighted_avg
  grouping grouping_id`

const WINDOW = `
  cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number`

const NUMBER = `
  abs acos add asin atan atan2 cbrt ceil ceiling cos cot degrees divide even exp factorial fdiv floor fmod gcd greatest
  isfinite isinf isnan lcm least ln log log10 log2 mod multiply nullif pi pow power radians random range round
  round_even sign sin sqrt subtract tan trunc constant_or_null hash`

const TEXT = `
  array_to_string ascii bar chr char_length character_length concat concat_ws contains ends_with
  format format_bytes ilike_escape initcap instr lcase left length like_escape lower
  lpad ltrim md5 not_ilike_escape not_like_escape ord position prefix printf regexp_extract regexp_extract_all
  regexp_full_match regexp_matches regexp_replace regexp_split_to_array replace reverse right rpad rtrim split
  split_part starts_with str_split string_split strip_accents strlen strpos substr substring suffix translate trim
  ucase unicode upper`

const DATE = `
  age century current_date date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day
  dayname dayofmonth dayofweek dayofyear days_in_month decade epoch epoch_ms extract get_current_timestamp hour isodow
  isoyear julian last_day make_date make_time make_timestamp millennium minute month monthname now quarter second
  strftime strptime time_bucket timezone to_days to_hours to_milliseconds to_minutes to_months to_quarters to_seconds
  to_timestamp to_weeks to_years today try_strptime week weekday weekofyear year yearweek`

const NESTED = `
  array_length array_slice array_value cardinality element_at flatten generate_series list_aggregate list_append list_avg
  list_concat list_contains list_count list_distinct list_element list_extract list_filter list_first list_has
  list_has_all list_has_any list_last list_max list_min list_position list_prepend list_reverse
  list_reverse_sort list_slice list_sort list_sum list_transform list_unique list_value list_zip map map_entries
  map_extract map_keys map_values row struct_extract struct_extract_at struct_pack unnest json_extract
  json_extract_string json_value json_array_length`

const OTHER = 'coalesce if ifnull typeof try'

export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  [AGGREGATE, WINDOW, NUMBER, TEXT, DATE, NESTED, OTHER].join(' ').split(/\s+/).filter(Boolean),
)

/** Those that published definitions may call until their next publication. */
export const FUNCTIONS_WITH_RETIRED: ReadonlySet<string> = new Set([...ALLOWED_FUNCTIONS, 'error'])

/** The parser's operator names: `LIKE` is `~~`, `NOT ILIKE` is `!~~*`, `GLOB` is `~~~`. */
export const ALLOWED_OPERATORS: ReadonlySet<string> = new Set(
  '+ - * / // % ** ^ & | << >> ~ || ^@ @ && @> <@ -> ->> !__postfix ~~ !~~ ~~* !~~* ~~~'.split(' '),
)

/** Functions allowed in FROM: they create rows from their arguments alone. */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest'])
