#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "CCodecs.h"

enum {
    // libjpeg does not limit the number of scans of a progressive file; a small file with thousands would take hours.
    MAXIMUM_SCANS = 200,
    // A larger quantisation step makes every coefficient 0, and overflows the 16-bit numbers that libjpeg divides by:
    // multiples of 8192 end the process.
    LARGEST_STEP = 8191,
};

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf jump;
    ccodecs_error *error;
    bool damaged;
    char damage[160];
} error_manager;

struct ccodecs_jpeg_reader {
    struct jpeg_decompress_struct decompress;
    error_manager errors;
    struct jpeg_progress_mgr progress;
};

static void fail(j_common_ptr common) {
    error_manager *errors = (error_manager *)common->err;
    char text[JMSG_LENGTH_MAX];
    common->err->format_message(common, text);
    snprintf(errors->error->message, sizeof errors->error->message, "%s", text);
    longjmp(errors->jump, 1);
}

// libjpeg continues after damaged data with a warning. Junk between markers is harmless; everything else is an error.
static void note_warning(j_common_ptr common, int level) {
    error_manager *errors = (error_manager *)common->err;
    if (level >= 0) return;
    common->err->num_warnings++;
    if (common->err->msg_code == JWRN_EXTRANEOUS_DATA || common->err->msg_code == JWRN_JFIF_MAJOR
        || common->err->msg_code == JWRN_ADOBE_XFORM)
        return;
    if (errors->damaged) return;
    errors->damaged = true;
    char text[JMSG_LENGTH_MAX];
    common->err->format_message(common, text);
    snprintf(errors->damage, sizeof errors->damage, "%s", text);
}

// Called for each row of blocks of each scan: a progressive picture is read completely before its first row is there.
static void stop_early(j_common_ptr common) {
    if (!common->is_decompressor) return;
    const int scan = ((j_decompress_ptr)common)->input_scan_number;
    error_manager *errors = (error_manager *)common->err;
    if (scan <= MAXIMUM_SCANS && !errors->damaged) return;
    if (errors->damaged)
        snprintf(errors->error->message, sizeof errors->error->message, "%s (in scan %d)", errors->damage, scan);
    else
        snprintf(errors->error->message, sizeof errors->error->message, "more than %d scans", MAXIMUM_SCANS);
    longjmp(errors->jump, 1);
}

static void set_up_errors(error_manager *errors, ccodecs_error *error) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = fail;
    errors->base.emit_message = note_warning;
    errors->error = error;
    errors->damaged = false;
    error->message[0] = 0;
}

static int32_t color_space_of(J_COLOR_SPACE space) {
    switch (space) {
        case JCS_GRAYSCALE: return CCODECS_JPEG_GREY;
        case JCS_YCbCr: return CCODECS_JPEG_YCBCR;
        case JCS_RGB: return CCODECS_JPEG_RGB;
        case JCS_CMYK:
        case JCS_YCCK: return CCODECS_JPEG_CMYK;
        default: return CCODECS_JPEG_OTHER;
    }
}

static void note_tables(const struct jpeg_decompress_struct *from, ccodecs_jpeg_tables *tables) {
    memset(tables, 0, sizeof *tables);
    tables->color_space = color_space_of(from->jpeg_color_space);
    tables->progressive = from->progressive_mode;
    for (int i = 0; i < from->num_components && i < 3; ++i) {
        tables->table_of_component[i] = from->comp_info[i].quant_tbl_no;
        tables->horizontal_sampling[i] = from->comp_info[i].h_samp_factor;
        tables->vertical_sampling[i] = from->comp_info[i].v_samp_factor;
    }
    for (int i = 0; i < NUM_QUANT_TBLS && i < 4; ++i) {
        if (!from->quant_tbl_ptrs[i]) continue;
        tables->has_table[i] = true;
        for (int k = 0; k < DCTSIZE2; ++k) {
            const UINT16 step = from->quant_tbl_ptrs[i]->quantval[k];
            tables->table[i][k] = step < 1 ? 1 : step > LARGEST_STEP ? LARGEST_STEP : step;
        }
    }
}

void ccodecs_free(void *buffer) { free(buffer); }

ccodecs_jpeg_reader *ccodecs_jpeg_open(
    const uint8_t *data, size_t size, ccodecs_jpeg_info *info, ccodecs_error *error) {
    ccodecs_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        snprintf(error->message, sizeof error->message, "not enough memory");
        return NULL;
    }
    set_up_errors(&reader->errors, error);
    reader->decompress.err = &reader->errors.base;
    if (setjmp(reader->errors.jump)) {
        jpeg_destroy_decompress(&reader->decompress);
        free(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->decompress);
    jpeg_mem_src(&reader->decompress, data, size);
    jpeg_read_header(&reader->decompress, TRUE);
    info->width = (int32_t)reader->decompress.image_width;
    info->height = (int32_t)reader->decompress.image_height;
    note_tables(&reader->decompress, &info->tables);
    return reader;
}

void ccodecs_jpeg_close(ccodecs_jpeg_reader *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->decompress);
    free(reader);
}

bool ccodecs_jpeg_read(ccodecs_jpeg_reader *reader, uint8_t *rgba, size_t bytes_per_row, ccodecs_error *error) {
    struct jpeg_decompress_struct *decompress = &reader->decompress;
    reader->errors.error = error;
    error->message[0] = 0;
    if (setjmp(reader->errors.jump)) return false;
    reader->progress.progress_monitor = stop_early;
    decompress->progress = &reader->progress;
    const bool is_cmyk = color_space_of(decompress->jpeg_color_space) == CCODECS_JPEG_CMYK;
    decompress->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    // Adobe's programs, which write most of them, store how little ink there is.
    const bool is_ink = is_cmyk && !decompress->saw_Adobe_marker;
    jpeg_start_decompress(decompress);
    while (decompress->output_scanline < decompress->output_height) {
        JSAMPROW row = rgba + (size_t)decompress->output_scanline * bytes_per_row;
        jpeg_read_scanlines(decompress, &row, 1);
        if (is_ink)
            for (size_t i = 0; i < 4 * (size_t)decompress->output_width; ++i) row[i] = 255 - row[i];
        if (reader->errors.damaged) {
            snprintf(
                error->message, sizeof error->message, "%s (near row %u of %u)", reader->errors.damage,
                decompress->output_scanline, decompress->output_height);
            return false;
        }
    }
    return true;
}

static void use_tables(struct jpeg_compress_struct *compress, const ccodecs_jpeg_tables *tables) {
    for (int i = 0; i < 4; ++i) {
        if (!tables->has_table[i]) continue;
        if (!compress->quant_tbl_ptrs[i]) compress->quant_tbl_ptrs[i] = jpeg_alloc_quant_table((j_common_ptr)compress);
        memcpy(compress->quant_tbl_ptrs[i]->quantval, tables->table[i], sizeof tables->table[i]);
        compress->quant_tbl_ptrs[i]->sent_table = FALSE;
    }
    for (int i = 0; i < compress->num_components && i < 3; ++i) {
        compress->comp_info[i].quant_tbl_no = tables->table_of_component[i];
        compress->comp_info[i].h_samp_factor = tables->horizontal_sampling[i];
        compress->comp_info[i].v_samp_factor = tables->vertical_sampling[i];
    }
    if (tables->progressive) jpeg_simple_progression(compress);
}

// Compressed bytes in memory. libjpeg's own such destination leaks them after an error.
typedef struct {
    struct jpeg_destination_mgr base;
    uint8_t *bytes;
    size_t capacity;
} memory_destination;

// Makes room, and passes it to libjpeg. The bytes before stay.
static void grow(j_compress_ptr compress, size_t used) {
    memory_destination *destination = (memory_destination *)compress->dest;
    const size_t capacity = used == 0 ? 65536 : 2 * used;
    uint8_t *bytes = realloc(destination->bytes, capacity);
    if (!bytes) ERREXIT1(compress, JERR_OUT_OF_MEMORY, 0);
    destination->bytes = bytes;
    destination->capacity = capacity;
    destination->base.next_output_byte = bytes + used;
    destination->base.free_in_buffer = capacity - used;
}

static void begin_writing(j_compress_ptr compress) { grow(compress, 0); }

// libjpeg calls it when the whole capacity is used, whatever free_in_buffer says.
static boolean write_more(j_compress_ptr compress) {
    grow(compress, ((memory_destination *)compress->dest)->capacity);
    return TRUE;
}

static void end_writing(j_compress_ptr compress) { (void)compress; }

bool ccodecs_jpeg_write(
    const uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row, const ccodecs_jpeg_tables *tables,
    int32_t quality, int32_t color_space, bool is_fast, const ccodecs_jpeg_marker *markers, int32_t marker_count,
    uint8_t **buffer, size_t *size, ccodecs_error *error) {
    struct jpeg_compress_struct compress;
    error_manager errors;
    memory_destination destination = {{NULL, 0, begin_writing, write_more, end_writing}, NULL, 0};
    memset(&compress, 0, sizeof compress);
    set_up_errors(&errors, error);
    compress.err = &errors.base;
    if (setjmp(errors.jump)) {
        jpeg_destroy_compress(&compress);
        free(destination.bytes);
        return false;
    }
    jpeg_create_compress(&compress);
    compress.dest = &destination.base;
    compress.image_width = (JDIMENSION)width;
    compress.image_height = (JDIMENSION)height;
    compress.input_components = 4;
    compress.in_color_space = JCS_EXT_RGBA;
    jpeg_set_defaults(&compress);
    switch (color_space) {
        case CCODECS_JPEG_GREY: jpeg_set_colorspace(&compress, JCS_GRAYSCALE); break;
        case CCODECS_JPEG_RGB: jpeg_set_colorspace(&compress, JCS_RGB); break;
        default: jpeg_set_colorspace(&compress, JCS_YCbCr); break;
    }
    if (tables)
        use_tables(&compress, tables);
    else
        jpeg_set_quality(&compress, quality, TRUE);
    if (!tables && quality >= 90) compress.comp_info[0].h_samp_factor = compress.comp_info[0].v_samp_factor = 1;
    compress.optimize_coding = !is_fast;
    jpeg_start_compress(&compress, TRUE);
    for (int32_t i = 0; i < marker_count; ++i) {
        // libjpeg writes the JFIF and Adobe markers itself.
        if (markers[i].code == JPEG_APP0 || markers[i].code == JPEG_APP0 + 14) continue;
        jpeg_write_marker(&compress, markers[i].code, markers[i].data, (unsigned)markers[i].size);
    }
    while (compress.next_scanline < compress.image_height) {
        JSAMPROW row = (JSAMPROW)(rgba + (size_t)compress.next_scanline * bytes_per_row);
        jpeg_write_scanlines(&compress, &row, 1);
    }
    jpeg_finish_compress(&compress);
    *buffer = destination.bytes;
    *size = destination.capacity - destination.base.free_in_buffer;
    jpeg_destroy_compress(&compress);
    return true;
}

bool ccodecs_jpeg_read_frame(
    const uint8_t *data, size_t size, uint8_t *rgba, int32_t width, int32_t height, size_t bytes_per_row,
    ccodecs_error *error) {
    struct jpeg_decompress_struct decompress;
    error_manager errors;
    set_up_errors(&errors, error);
    decompress.err = &errors.base;
    if (setjmp(errors.jump)) {
        jpeg_destroy_decompress(&decompress);
        return false;
    }
    jpeg_create_decompress(&decompress);
    jpeg_mem_src(&decompress, data, size);
    jpeg_read_header(&decompress, TRUE);
    if (decompress.image_width != (JDIMENSION)width || decompress.image_height != (JDIMENSION)height
        || decompress.progressive_mode) {
        snprintf(error->message, sizeof error->message, "a frame of another size");
        jpeg_destroy_decompress(&decompress);
        return false;
    }
    decompress.out_color_space = JCS_EXT_RGBA;
    // A frame is visible only for a moment: the faster, less exact transform suffices.
    decompress.dct_method = JDCT_IFAST;
    decompress.do_fancy_upsampling = FALSE;
    jpeg_start_decompress(&decompress);
    while (decompress.output_scanline < decompress.output_height) {
        JSAMPROW row = rgba + decompress.output_scanline * bytes_per_row;
        jpeg_read_scanlines(&decompress, &row, 1);
    }
    jpeg_finish_decompress(&decompress);
    jpeg_destroy_decompress(&decompress);
    return !errors.damaged;
}
