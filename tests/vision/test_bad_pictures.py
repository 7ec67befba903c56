"""Pictures of every kind become the same pixels; what is damaged, hostile or mistaken is refused with a clear message."""
import shutil
import struct
import time
import unittest
import zlib

import fetched
from fetched import Image, numpy, pixels_of, save
from command import CommandTest

fetched.libvips()
fetched.runtime()


def png(width, height, bits, compressed):
    """A PNG of colours from its compressed rows, whatever is in them."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 2, 0, 0, 0))
            + chunk(b"IDAT", compressed) + chunk(b"IEND", b""))


def png_header(width, height):
    """A PNG that announces so many pixels and holds few."""
    return png(width, height, 8, zlib.compress(b"\0" * 1000))


class Pictures(CommandTest):
    def setUp(self):
        super().setUp()
        self.model = fetched.pixel_network(self.scratch / "m.onnx")
        (self.scratch / "m.json").write_text(fetched.PIXELS)
        self.photos = self.scratch / "photos"
        self.photos.mkdir()
        # Four flat quarters of 8 x 8 pixels: their middles survive JPEG and resizing.
        self.truth = numpy.zeros((16, 16, 3), numpy.uint8)
        self.truth[:8, :8], self.truth[:8, 8:], self.truth[8:, :8], self.truth[8:, 8:] = (200, 40, 30), (30, 180, 60), (20, 50, 210), (240, 240, 20)

    def embed(self, *words):
        self.succeeds("embed", self.photos, "-o", self.scratch / "g", "--force", "--model", self.model, *words)
        return pixels_of(numpy.load(self.scratch / "g" / "z.npy"))

    def quarters(self, picture):
        """The colour in the middle of each quarter of an 8 x 8 picture."""
        return numpy.array([picture[1:3, 1:3], picture[1:3, 5:7], picture[5:7, 1:3], picture[5:7, 5:7]]).mean(axis=(1, 2))

    def check(self, picture, within=6, truth=None):
        expected = self.quarters((self.truth if truth is None else truth)[::2, ::2].astype(float))
        numpy.testing.assert_allclose(self.quarters(picture), expected, atol=within)

    def test_every_kind_becomes_the_same_pixels(self):
        rgb = Image.fromarray(self.truth)
        rgb.save(self.photos / "a-plain.png")
        rgb.save(self.photos / "b-jpeg.jpg", quality=98, subsampling=0)
        rgb.save(self.photos / "c-webp.webp", lossless=True)
        rgb.save(self.photos / "d-tiff.tif")
        rgb.convert("P", palette=Image.ADAPTIVE).save(self.photos / "e-palette.png")
        rgb.convert("P", palette=Image.ADAPTIVE).save(self.photos / "f-gif.gif")
        wide = (self.truth.astype(">u2") * 257)
        rows = b"".join(b"\0" + row.tobytes() for row in wide)
        (self.photos / "g-16bit.png").write_bytes(png(16, 16, 16, zlib.compress(rows)))
        for picture in self.embed():
            self.check(picture)

    def test_cmyk_is_read_as_colours(self):
        # Without a profile of its own, what the inks look like is a matter of taste: the same hues, not the same numbers.
        Image.fromarray(self.truth).convert("CMYK").save(self.photos / "a.jpg", quality=98)
        seen = self.quarters(self.embed()[0])
        self.assertEqual(seen.argmax(axis=1)[:3].tolist(), [0, 1, 2])
        self.assertLess(seen[3, 2], 100)
        self.assertGreater(seen[3, :2].min(), 150)

    def test_grey_is_equal_in_all_channels(self):
        grey = Image.fromarray(self.truth).convert("L")
        grey.save(self.photos / "a.png")
        grey.convert("I;16").point(lambda v: v * 257).save(self.photos / "b.png")
        grey.point(lambda v: 255 * (v > 100)).convert("1").save(self.photos / "c.png")
        seen = self.embed()
        level = numpy.repeat(numpy.asarray(grey)[:, :, None], 3, axis=2)
        self.check(seen[0], truth=level)
        self.check(seen[1], truth=level)
        self.check(seen[2], truth=numpy.where(level > 100, 255, 0))

    def test_what_is_transparent_is_white(self):
        seen_through = numpy.dstack([self.truth, numpy.full((16, 16), 255, numpy.uint8)])
        seen_through[:8, :8, 3] = 0
        seen_through[8:, :8, 3] = 128
        save(self.photos / "a.png", seen_through)
        truth = self.truth.astype(float)
        truth[:8, :8] = 255
        truth[8:, :8] = truth[8:, :8] * 128 / 255 + 127
        self.check(self.embed()[0], truth=truth)

    def test_pictures_are_turned_upright(self):
        # What a camera stores for each orientation, so that turned upright it is the truth.
        stored = {1: lambda a: a, 2: lambda a: a[:, ::-1], 3: lambda a: a[::-1, ::-1], 4: lambda a: a[::-1],
                  5: lambda a: a.transpose(1, 0, 2), 6: lambda a: numpy.rot90(a, 1), 7: lambda a: numpy.rot90(a, 2).transpose(1, 0, 2),
                  8: lambda a: numpy.rot90(a, -1)}
        tall = numpy.repeat(self.truth, 2, axis=0)  # 16 wide, 32 high
        large = tall.repeat(4, axis=0).repeat(4, axis=1)  # so large that JPEG leaves pixels out
        for orientation, store in stored.items():
            exif = Image.Exif()
            exif[0x0112] = orientation
            for name, picture in (("", tall), ("-large", large)):
                Image.fromarray(numpy.ascontiguousarray(store(picture))).save(
                    self.photos / f"{orientation}{name}.jpg", quality=98, subsampling=0, exif=exif.tobytes())
        for picture in self.embed():  # pixels are left out
            self.check(picture)
        # Boxes are counted in the upright picture: this one is its lower half. All pixels are read.
        regions = self.scratch / "r.csv"
        regions.write_text("picture,left,top,right,bottom\n" + "".join(f"{i}.jpg,0,16,16,32\n{i}-large.jpg,0,64,64,128\n" for i in stored))
        for picture in self.embed("--regions", regions, "--margin", 0):
            self.check(picture)
        for masked in pixels_of(numpy.load(self.scratch / "g" / "zhat.npy")):
            self.assertLess(masked[5:].max(), 1)  # a row at the edge is a mean of both sides
            self.assertGreater(masked[:3].max(), 150)

    def test_large_jpegs_look_as_if_every_pixel_were_read(self):
        """JPEG leaves pixels out while it is decoded, but not so many that one sees it: on pictures whose amplitudes fall with
        the frequency, as those of photographs do, the result differs by 1 of 255 levels at most (root mean square)."""
        draw = numpy.random.default_rng(4)
        frequency = numpy.hypot(*numpy.meshgrid(numpy.fft.fftfreq(40), numpy.fft.fftfreq(40)))[..., None]
        for i in range(6):
            wave = numpy.fft.fft2(draw.normal(size=(40, 40, 3)), axes=(0, 1)) / numpy.maximum(frequency, 1 / 40)
            picture = numpy.fft.ifft2(wave, axes=(0, 1)).real
            save(self.photos / f"{i}.jpg", numpy.clip(128 + 50 * picture / picture.std(), 0, 255).astype(numpy.uint8),
                 quality=95, subsampling=0)
        regions = self.scratch / "r.csv"
        regions.write_text("picture,left,top,right,bottom\n0.jpg,0,0,1,1\n")
        every = self.embed("--regions", regions)  # whoever masks something wants all pixels
        for found, exact in zip(self.embed(), every):
            self.assertLess(numpy.sqrt(((found - exact) ** 2).mean()), 1)

    def test_the_first_frame_of_an_animation_counts(self):
        frames = [Image.fromarray(self.truth), Image.fromarray(255 - self.truth)]
        frames[0].save(self.photos / "a.gif", save_all=True, append_images=frames[1:])
        frames[0].save(self.photos / "b.webp", save_all=True, append_images=frames[1:], lossless=True)
        frames[0].save(self.photos / "c.tif", save_all=True, append_images=frames[1:])
        for picture in self.embed():
            self.check(picture, within=12)

    def test_a_name_with_options_of_libvips_in_it_is_only_a_name(self):
        save(self.photos / "a[page=3].png", self.truth)
        save(self.photos / "b, \"c\".png", self.truth)
        for picture in self.embed():
            self.check(picture)

    def refused(self, name, content, says, *words, code=3):
        path = self.photos / name
        path.write_bytes(content)
        self.fails(code, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, *words, says=says)
        self.assertFalse((self.scratch / "g").exists())
        path.unlink()
        shutil.rmtree(self.scratch / "g.unfinished", ignore_errors=True)

    def test_what_is_damaged_is_refused_by_name(self):
        draw = numpy.random.default_rng(3).integers(0, 256, (64, 64, 3), dtype=numpy.uint8)
        whole = {}
        for ending in ("jpg", "png", "webp", "gif", "tif"):
            save(self.scratch / f"whole.{ending}", draw)
            whole[ending] = (self.scratch / f"whole.{ending}").read_bytes()
        self.refused("empty.jpg", b"", "empty.jpg: is empty")
        self.refused("text.png", b"this is not a picture", "text.png: is not a picture")
        for ending in whole:
            self.refused(f"half.{ending}", whole[ending][:len(whole[ending]) // 2], f"half.{ending}: is")
        self.refused("nothing.png", png_header(0, 5), "nothing.png: is")

    def test_decompression_bombs_are_not_decoded(self):
        began = time.process_time()
        self.refused("bomb.png", png_header(60000, 60000), "60000 x 60000 pixels, more than the limit of 100000000")
        self.refused("bomb.png", png_header(2**31 - 1, 2**31 - 1), "bomb.png: is")
        self.assertLess(time.process_time() - began, 60)
        save(self.photos / "fair.png", self.truth)
        self.fails(3, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--most-pixels", 255,
                   says="(--most-pixels)")
        self.assertEqual(len(self.embed("--most-pixels", 256)), 1)

    def test_a_gigantic_picture_costs_the_memory_of_a_small_one(self):
        def peak():
            return self.json("embed", self.photos, "-o", self.scratch / "g", "--force", "--model", self.model)["peak_rss_bytes"]
        save(self.photos / "a.png", self.truth)
        small = peak()
        # 243 MB of pixels, made row by row: a child's peak begins with its parent's.
        packed = zlib.compressobj(1)
        rows = b"".join([packed.compress(b"\0" + bytes((10, 200, 30)) * 9000) for _ in range(9000)] + [packed.flush()])
        (self.photos / "a.png").write_bytes(png(9000, 9000, 8, rows))
        self.assertLess(peak() - small, 100 << 20)

    def test_a_region_outside_the_picture_is_refused_by_line(self):
        save(self.photos / "a.png", self.truth)
        regions = self.scratch / "r.csv"
        regions.write_text("picture,left,top,right,bottom\na.png,1,1,2,2\na.png,16,0,20,5\n")
        self.fails(3, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--regions", regions,
                   says="r.csv:3: the region lies outside the picture a.png, which has 16 x 16 pixels")

    def test_two_files_of_one_name_are_refused(self):
        one = save(self.photos / "one" / "a.png", self.truth)
        two = save(self.photos / "two" / "a.png", self.truth)
        self.fails(3, "embed", one, two, "-o", self.scratch / "g", "--model", self.model, says="would both be named a.png")
        self.assertEqual(len(self.embed()), 2)


if __name__ == "__main__":
    unittest.main()
