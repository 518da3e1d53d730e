const wordsIn = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/**
 * Functions allowed in user queries: they read nothing except their arguments. Operators are listed by their symbols.
 */
export const safeFunctions: ReadonlySet<string> = new Set(
  wordsIn(`
  + - * / % // ^ ** || @ & | ~ << >> ! !~~ ~~ ~~* !~~* ~~~ ^@ -> ->> = != < > <= >= <> && <@ @> !__postfix
  abs acos acosh add asin asinh atan atan2 atanh bin bit_count cbrt ceil ceiling cos cosh cot degrees divide even exp factorial fdiv
  floor fmod gamma gcd greatest greatest_common_divisor isfinite isinf isnan lcm least least_common_multiple lgamma ln log log10 log2
  mod multiply nextafter pi pow power radians round round_even roundbankers sign signbit sin sinh sqrt subtract tan tanh trunc xor
  ascii bar base64 bit_length char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3 ends_with format
  format_bytes formatreadabledecimalsize formatreadablesize from_base64 from_hex hamming hash hex ilike_escape instr
  jaccard jaro_similarity jaro_winkler_similarity lcase left left_grapheme length length_grapheme levenshtein like_escape lower lpad ltrim
  md5 mismatches nfc_normalize not_ilike_escape not_like_escape ord overlay position prefix printf regexp_escape regexp_extract
  regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array repeat replace reverse right right_grapheme
  rpad rtrim sha1 sha256 split split_part starts_with str_split str_split_regex strip_accents strlen strpos string_split
  string_split_regex string_to_array substr substring substring_grapheme suffix to_base to_base64 to_hex translate trim ucase unbin
  unhex unicode upper url_decode url_encode
  age century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek
  dayofyear decade epoch epoch_ms epoch_ns epoch_us era get_current_time current_date current_localtime current_localtimestamp
  current_time current_timestamp now today transaction_timestamp hour isodow isoyear julian last_day make_date make_time make_timestamp
  make_timestamp_ms make_timestamp_ns make_timestamptz microsecond millennium millisecond minute month monthname nanosecond quarter
  second strftime strptime time_bucket timezone timezone_hour timezone_minute to_centuries to_days to_decades to_hours to_microseconds
  to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years try_strptime week weekday
  weekofyear year yearweek
  any_value approx_count_distinct approx_quantile arbitrary arg_max arg_max_null arg_min arg_min_null array_agg avg bit_and bit_or
  bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean
  group_concat histogram kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median min min_by mode product quantile
  quantile_cont quantile_disc percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
  regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan var_pop var_samp variance
  cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number grouping grouping_id
  coalesce if ifnull nullif error constant_or_null try_cast typeof case
  array_aggregate array_append array_concat array_contains array_distinct array_extract array_filter array_has array_has_all
  array_has_any array_indexof array_intersect array_length array_position array_prepend array_reverse array_reverse_sort array_slice
  array_sort array_to_string array_transform array_unique array_value array_where cardinality element_at flatten generate_series
  len list_aggregate list_any_value list_append list_avg list_concat list_contains list_count list_distinct list_element list_extract
  list_filter list_first list_has list_has_all list_has_any list_indexof list_intersect list_last list_max list_median list_min
  list_mode list_position list_prepend list_reduce list_reverse list_reverse_sort list_select list_slice list_sort list_sum
  list_transform list_unique list_value list_where list_zip map map_concat map_contains map_entries map_extract map_extract_value
  map_from_entries map_keys map_values range row struct_extract struct_insert struct_pack unnest unpivot_list
  array_to_json from_json json json_array json_array_length json_contains json_exists json_extract json_extract_path
  json_extract_path_text json_extract_string json_group_array json_group_object json_keys json_merge_patch json_object json_quote
  json_structure json_transform json_type json_valid json_value row_to_json to_json
  `),
);

/** Allowed table functions: they generate rows from their arguments only. */
export const safeTableFunctions: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest']);
