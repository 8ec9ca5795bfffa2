/* SPDX-License-Identifier: BSD-3-Clause */
/* RT-Thread's names for functions of string.h, and its formatter. */
#ifndef RT_KLIBC_H__
#define RT_KLIBC_H__

#include <rttypes.h>
#include <string.h>
#include <strings.h>

#ifdef __cplusplus
extern "C" {
#endif

rt_inline void *rt_memset(void *dst, int c, rt_ubase_t count)
{
	return memset(dst, c, count);
}

rt_inline void *rt_memcpy(void *dst, const void *src, rt_ubase_t count)
{
	return memcpy(dst, src, count);
}

rt_inline void *rt_memmove(void *dst, const void *src, rt_size_t count)
{
	return memmove(dst, src, count);
}

rt_inline rt_int32_t rt_memcmp(const void *a, const void *b, rt_size_t count)
{
	return memcmp(a, b, count);
}

rt_inline char *rt_strstr(const char *text, const char *part)
{
	return (char *)strstr(text, part);
}

rt_inline rt_int32_t rt_strcasecmp(const char *a, const char *b)
{
	return strcasecmp(a, b);
}

rt_inline char *rt_strcpy(char *dst, const char *src)
{
	return strcpy(dst, src);
}

rt_inline rt_int32_t rt_strcmp(const char *a, const char *b)
{
	return strcmp(a, b);
}

rt_inline rt_int32_t rt_strncmp(const char *a, const char *b, rt_size_t count)
{
	return strncmp(a, b, count);
}

rt_inline rt_size_t rt_strlen(const char *s)
{
	return strlen(s);
}

char *rt_strncpy(char *dst, const char *src, rt_size_t count);
rt_size_t rt_strnlen(const char *s, rt_ubase_t max);
/* In the heap; null: no memory. */
char *rt_strdup(const char *s);

/*
 * Conversions: d i u o x X b B p c s %, and n is not one; flags - + space # 0; width and precision, each
 * a number or *; lengths hh h l ll j z t. No floating point. What does not fit into size is dropped; returns the length
 * without the final 0 that the whole text would have.
 */
int rt_vsnprintf(char *buf, rt_size_t size, const char *format, va_list args);
int rt_vsprintf(char *buf, const char *format, va_list args);
int rt_snprintf(char *buf, rt_size_t size, const char *format, ...);
int rt_sprintf(char *buf, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
